import type { Migration } from '@laurel/kernel';
import { USER_AREA_NAMES } from '../folding/document.ts';
import { projectionMigrations } from '../single-writer/migrations.ts';

/** Simulates areas of later releases, which add their columns by migrations that the engine does not know. */
const LATER_COLUMNS: Migration = {
  name: '9000-later-columns',
  sql: USER_AREA_NAMES.map((area) => `alter table user_states add column if not exists ${area} jsonb;`).join('\n'),
};

/** The engine's tables, with a column for each area. */
export const ENGINE_MIGRATIONS: readonly Migration[] = [...projectionMigrations, LATER_COLUMNS];
