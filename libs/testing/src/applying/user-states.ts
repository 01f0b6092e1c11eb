import { achievementsRules, type AchievementsState } from '@laurel/achievements';
import type { Occasion, Emitter } from '@laurel/kernel';
import { pointsRules, type PointsState } from '@laurel/points';
import { streaksRules, type StreaksState } from '@laurel/streaks';
import { usersRules, type UsersState } from '@laurel/users';
import type { Plan } from './plan.ts';

/** The states of one user in all areas, under one plan. */
export interface UserStates {
  readonly users: UsersState;
  readonly streaks: StreaksState;
  readonly achievements: AchievementsState;
  readonly points: PointsState;
}

export const newUser = (plan: Plan): UserStates => ({
  users: usersRules.initial(plan.users),
  streaks: streaksRules.initial(plan.streaks),
  achievements: achievementsRules.initial(plan.achievements),
  points: pointsRules.initial(plan.points),
});

/** A copy that a batch may change. */
export const draftOf = (states: UserStates): UserStates => ({
  users: usersRules.clone(states.users),
  streaks: streaksRules.clone(states.streaks),
  achievements: achievementsRules.clone(states.achievements),
  points: pointsRules.clone(states.points),
});

/** Applies an event to a user, area by area; each area reads the effects of the earlier ones. */
export function applyToUser(draft: UserStates, occasion: Occasion, plan: Plan, emitter: Emitter): void {
  usersRules.apply(draft.users, occasion, plan.users, emitter);
  streaksRules.apply(draft.streaks, occasion, plan.streaks, emitter);
  achievementsRules.apply(draft.achievements, occasion, plan.achievements, emitter);
  pointsRules.apply(draft.points, occasion, plan.points, emitter);
}
