import type { LocalDate } from '@laurel/calendar';
import type { CorrectionRecorded, ImportClosed, RecordedEvent } from '@laurel/kernel';

/** A correction, or the end of an import. */
export type ChangingEvent = CorrectionRecorded | ImportClosed;

/** A record that may have changed final runs. */
export interface ChangeQuery {
  readonly record: RecordedEvent<ChangingEvent>;
  /** The changes are after this record. */
  readonly since: Pick<RecordedEvent, 'position' | 'recordedAt'>;
}

/** A run that changed after it was final. */
export interface FinalRun {
  readonly board: string;
  /** First date of the run. */
  readonly start: LocalDate;
  readonly end: LocalDate;
}

/** Final runs that `user.corrected` and `import.finished` list. */
const MOST_FINAL_RUNS = 100;

/** @param runs newest first */
export const finalRunFields = (runs: readonly FinalRun[]) => ({
  finalRuns: runs
    .slice(0, MOST_FINAL_RUNS)
    .map(({ board, start, end }) => ({ leaderboard: board, run: start, runEnd: end })),
  finalRunsLeftOut: Math.max(runs.length - MOST_FINAL_RUNS, 0),
});
