import type { LocalDate } from '@laurel/calendar';
import type { CorrectionRecorded, ImportClosed, LogRecord } from '@laurel/kernel';

/** A correction, or the end of an import. */
export type ChangingFact = CorrectionRecorded | ImportClosed;

/** What may have changed final runs, and where in the log. */
export interface ChangeAsked {
  readonly record: LogRecord<ChangingFact>;
  /** It lies behind this record. */
  readonly since: Pick<LogRecord, 'position' | 'recordedAt'>;
}

/** A run that changed after it was final. */
export interface FinalRun {
  readonly board: string;
  /** Its first date. */
  readonly start: LocalDate;
  readonly end: LocalDate;
}

/** Final runs that `user.corrected` and `import.finished` name. */
const MOST_FINAL_RUNS = 100;

/** @param runs the newest first */
export const finalRunFields = (runs: readonly FinalRun[]) => ({
  finalRuns: runs
    .slice(0, MOST_FINAL_RUNS)
    .map(({ board, start, end }) => ({ leaderboard: board, run: start, runEnd: end })),
  finalRunsLeftOut: Math.max(runs.length - MOST_FINAL_RUNS, 0),
});
