import { achievementsMigrations } from '@laurel/achievements';
import { AREAS, type AreaName, type Migration } from '@laurel/kernel';
import { configurationFilesMigrations, databaseMigrations, webhookMigrations } from '@laurel/database';
import { directoryMigrations } from '@laurel/directory';
import { eventStoreMigrations } from '@laurel/event-store';
import { leaderboardsMigrations } from '@laurel/leaderboards';
import { outgoingMigrations } from '@laurel/outgoing';
import { pointsMigrations } from '@laurel/points';
import { projectionMigrations } from '@laurel/engine';
import { streaksMigrations } from '@laurel/streaks';
import { usersMigrations } from '@laurel/users';

/** The tables of each area; an area that is missing here is a type error. */
export const MIGRATIONS_OF_AREA: Readonly<Record<AreaName, readonly Migration[]>> = {
  users: usersMigrations,
  streaks: streaksMigrations,
  achievements: achievementsMigrations,
  points: pointsMigrations,
  leaderboards: leaderboardsMigrations,
};

/** What a rebuild writes anew: each of these creates or changes tables by their bare names, in whichever schema it runs. */
export const READ_MODEL_MIGRATIONS: readonly Migration[] = [
  ...projectionMigrations,
  ...AREAS.flatMap((area) => MIGRATIONS_OF_AREA[area]),
];

/** The whole schema of a process that runs every area. */
export const MIGRATIONS: readonly Migration[] = [
  ...eventStoreMigrations,
  ...directoryMigrations,
  ...databaseMigrations,
  ...webhookMigrations,
  ...configurationFilesMigrations,
  ...outgoingMigrations,
  ...READ_MODEL_MIGRATIONS,
];
