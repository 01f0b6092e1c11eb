import { achievementsArea, achievementsMigrations } from '@laurel/achievements';
import { TOPICS, type Migration } from '@laurel/contracts';
import { pointsArea, pointsMigrations } from '@laurel/points';
import type { AnyUserArea } from '@laurel/projections';
import { streaksArea, streaksMigrations } from '@laurel/streaks';
import { usersArea, usersMigrations } from '@laurel/users';
import { SCHEMAS, type SchemaName } from '../schemas/schemas.ts';

/** A service whose areas belong to a user. */
export interface UserServiceDefinition {
  readonly name: string;
  readonly schema: SchemaName;
  readonly input: string;
  readonly output: string;
  /** Of the service that reads the output. */
  readonly next: SchemaName;
  /** In the order of the chain. */
  readonly areas: readonly AnyUserArea[];
  readonly migrations: readonly Migration[];
}

export const STREAK_SERVICE: UserServiceDefinition = {
  name: 'streak-service',
  schema: SCHEMAS.streak,
  input: TOPICS.log,
  output: TOPICS.streaks,
  next: SCHEMAS.achievement,
  areas: [usersArea, streaksArea] as readonly AnyUserArea[],
  migrations: [...usersMigrations, ...streaksMigrations],
};

export const ACHIEVEMENT_SERVICE: UserServiceDefinition = {
  name: 'achievement-service',
  schema: SCHEMAS.achievement,
  input: TOPICS.streaks,
  output: TOPICS.achievements,
  next: SCHEMAS.points,
  areas: [achievementsArea] as readonly AnyUserArea[],
  migrations: achievementsMigrations,
};

export const POINTS_SERVICE: UserServiceDefinition = {
  name: 'points-service',
  schema: SCHEMAS.points,
  input: TOPICS.achievements,
  output: TOPICS.points,
  next: SCHEMAS.leaderboard,
  areas: [pointsArea] as readonly AnyUserArea[],
  migrations: pointsMigrations,
};
