import { ACHIEVEMENT_OPERATIONS } from './achievements.ts';
import { CONFIGURATION_OPERATIONS } from './configuration.ts';
import { CORRECTION_OPERATIONS } from './corrections.ts';
import { DAY_OPERATIONS } from './days.ts';
import { DOCUMENT_OPERATIONS } from './documents.ts';
import { ERASURE_OPERATIONS } from './erasures.ts';
import { EVENT_OPERATIONS } from './events.ts';
import { GRANT_OPERATIONS } from './grants.ts';
import { EXPORT_OPERATIONS } from './export.ts';
import { EXPLAIN_OPERATIONS } from './explain.ts';
import { HEALTH_OPERATIONS } from './health.ts';
import { IMPORT_OPERATIONS } from './import.ts';
import { CONSOLE_OPERATIONS } from './console.ts';
import { KEY_OPERATIONS } from './keys.ts';
import { LEADERBOARD_OPERATIONS } from './leaderboards.ts';
import type { Operation } from './operation.ts';
import { POINTS_OPERATIONS } from './points.ts';
import { SERVICE_OPERATIONS } from './service.ts';
import { STREAM_OPERATIONS } from './streams.ts';
import { SUPPORT_OPERATIONS } from './support.ts';
import { STREAK_OPERATIONS } from './streaks.ts';
import { USER_OPERATIONS } from './users.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

/** By id, every operation that is served, in the order of the document. `HEAD` is served wherever `GET` is. */
export const operations = {
  ...EVENT_OPERATIONS,
  ...USER_OPERATIONS,
  ...ACHIEVEMENT_OPERATIONS,
  ...STREAK_OPERATIONS,
  ...POINTS_OPERATIONS,
  ...LEADERBOARD_OPERATIONS,
  ...GRANT_OPERATIONS,
  ...CORRECTION_OPERATIONS,
  ...EXPLAIN_OPERATIONS,
  ...IMPORT_OPERATIONS,
  ...EXPORT_OPERATIONS,
  ...STREAM_OPERATIONS,
  ...CONFIGURATION_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...DAY_OPERATIONS,
  ...SUPPORT_OPERATIONS,
  ...ERASURE_OPERATIONS,
  ...KEY_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...CONSOLE_OPERATIONS,
  ...HEALTH_OPERATIONS,
  ...DOCUMENT_OPERATIONS,
};

export const OPERATIONS: readonly Operation[] = Object.values(operations);

export { DOCS_FILES, type DocsFile } from './documents.ts';
export { type Answer, type Operation, problemsOf, type RequestBody, scopesOf } from './operation.ts';
export type { Parameter } from './parameters.ts';
export { LOGGED_BY_DEFAULT } from './streams.ts';
export { PROBLEMS } from './problems.ts';
export { type Tag, TAGS } from './tags.ts';
