import { achievementsArea } from '@laurel/achievements';
import { pointsArea } from '@laurel/points';
import { type AnyUserArea, USER_AREA_NAMES, type UserAreaName } from '@laurel/engine';
import { streaksArea } from '@laurel/streaks';
import { usersArea } from '@laurel/users';

/** A missing area is a type error, so each column of `user_states` has an area that owns it. */
const AREA_OF = {
  users: usersArea,
  streaks: streaksArea,
  achievements: achievementsArea,
  points: pointsArea,
} satisfies Record<UserAreaName, unknown>;

/** The areas whose state belongs to a user, in the order of the chain. */
export const USER_AREAS = USER_AREA_NAMES.map((name) => AREA_OF[name]) as readonly AnyUserArea[];
