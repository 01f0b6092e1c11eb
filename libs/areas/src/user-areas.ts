import { achievementsArea } from '@laurel/achievements';
import { pointsArea } from '@laurel/points';
import type { AnyUserArea } from '@laurel/projections';
import { streaksArea } from '@laurel/streaks';
import { usersArea } from '@laurel/users';

/** The areas whose state belongs to a user, in the order of the chain. */
export const USER_AREAS = [usersArea, streaksArea, achievementsArea, pointsArea] as readonly AnyUserArea[];
