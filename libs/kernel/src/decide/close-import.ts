import type { Instant } from '@laurel/calendar';
import type { CloseImport } from '../commands.ts';
import type { ImportClosed } from '../events.ts';
import { accepted, type Accepted } from './decision.ts';

/** How long an import may send nothing before the process closes it. */
export const IMPORT_IDLE_MS = 10 * 60_000;

/** An import that has sent nothing since this instant is closed by the process. */
export const idleImportsSince = (now: Instant, idleMs = IMPORT_IDLE_MS): Instant => now - idleMs;

export function closeImport(
  { cause, attribution }: CloseImport,
  { now, isImporting }: { readonly now: Instant; readonly isImporting: boolean },
): Accepted<ImportClosed> {
  if (!isImporting) return accepted();
  return accepted({ occurredAt: now, event: { type: 'ImportClosed', cause, ...attribution } });
}
