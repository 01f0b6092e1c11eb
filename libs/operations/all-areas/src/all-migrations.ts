import type { Migration } from '@laurel/kernel';
import { configurationFilesMigrations, databaseMigrations, webhookMigrations } from '@laurel/database';
import { directoryMigrations } from '@laurel/directory';
import { eventStoreMigrations } from '@laurel/event-store';
import { leaderboardsMigrations } from '@laurel/leaderboards';
import { outgoingMigrations } from '@laurel/outgoing';
import { projectionMigrations } from '@laurel/engine';
import { USER_AREAS } from './user-areas.ts';

/** The tables that a rebuild writes. Each migration uses unqualified names, so it works in any schema. */
export const READ_MODEL_MIGRATIONS: readonly Migration[] = [
  ...projectionMigrations,
  ...USER_AREAS.flatMap(({ migrations }) => migrations),
  ...leaderboardsMigrations,
];

/** The schema of a process that runs every area. */
export const MIGRATIONS: readonly Migration[] = [
  ...eventStoreMigrations,
  ...directoryMigrations,
  ...databaseMigrations,
  ...webhookMigrations,
  ...configurationFilesMigrations,
  ...outgoingMigrations,
  ...READ_MODEL_MIGRATIONS,
];
