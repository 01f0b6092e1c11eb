import { achievementsMigrations } from '@laurel/achievements';
import type { Migration } from '@laurel/contracts';
import { configurationFilesMigrations, databaseMigrations } from '@laurel/database';
import { directoryMigrations } from '@laurel/directory';
import { eventStoreMigrations } from '@laurel/event-store';
import { leaderboardsMigrations } from '@laurel/leaderboards';
import { pointsMigrations } from '@laurel/points';
import { projectionMigrations } from '@laurel/projections';
import { streaksMigrations } from '@laurel/streaks';
import { usersMigrations } from '@laurel/users';

/** What a rebuild writes anew: each of these creates or changes tables by their bare names, in whichever schema it runs. */
export const READ_MODEL_MIGRATIONS: readonly Migration[] = [
  ...projectionMigrations,
  ...usersMigrations,
  ...streaksMigrations,
  ...achievementsMigrations,
  ...pointsMigrations,
  ...leaderboardsMigrations,
];

/** The whole schema of a process that runs every area. */
export const MIGRATIONS: readonly Migration[] = [
  ...eventStoreMigrations,
  ...directoryMigrations,
  ...databaseMigrations,
  ...configurationFilesMigrations,
  ...READ_MODEL_MIGRATIONS,
];
