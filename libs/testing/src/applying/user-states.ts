import { achievementsRules, type AchievementsState } from '@laurel/achievements';
import type { Instant } from '@laurel/calendar';
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

/** A copy that a batch can write. */
export const draftOf = (states: UserStates): UserStates => ({
  users: usersRules.clone(states.users),
  streaks: streaksRules.clone(states.streaks),
  achievements: achievementsRules.clone(states.achievements),
  points: pointsRules.clone(states.points),
});

/** Applies an occasion to a user, area by area: each reads the effects of those before it. */
export function applyToUser(draft: UserStates, occasion: Occasion, plan: Plan, emitter: Emitter): void {
  usersRules.apply(draft.users, occasion, plan.users, emitter);
  streaksRules.apply(draft.streaks, occasion, plan.streaks, emitter);
  achievementsRules.apply(draft.achievements, occasion, plan.achievements, emitter);
  pointsRules.apply(draft.points, occasion, plan.points, emitter);
}

/** The first instant at which something falls due for the user; null if never. */
export function dueAtOf(states: UserStates, plan: Plan): Instant | null {
  const due = [
    usersRules.dueAt?.(states.users, plan.users),
    streaksRules.dueAt?.(states.streaks, plan.streaks),
    pointsRules.dueAt?.(states.points, plan.points),
  ].filter((at) => typeof at === 'number');
  return due.length === 0 ? null : Math.min(...due);
}

/** As it is stored: by key, so that it can be read under any plan. */
export const encodeStates = (states: UserStates, plan: Plan) => ({
  users: usersRules.encode(states.users, plan.users),
  streaks: streaksRules.encode(states.streaks, plan.streaks),
  achievements: achievementsRules.encode(states.achievements, plan.achievements),
  points: pointsRules.encode(states.points, plan.points),
});

/** Reads what {@link encodeStates} wrote, under any plan. */
export const decodeStates = (stored: Record<keyof UserStates, unknown>, plan: Plan): UserStates => ({
  users: usersRules.decode(stored.users, plan.users),
  streaks: streaksRules.decode(stored.streaks, plan.streaks),
  achievements: achievementsRules.decode(stored.achievements, plan.achievements),
  points: pointsRules.decode(stored.points, plan.points),
});

/** The states of a user whose last event was of another version. */
export const underPlan = (states: UserStates, from: Plan, to: Plan): UserStates =>
  from === to ? states : decodeStates(encodeStates(states, from), to);
