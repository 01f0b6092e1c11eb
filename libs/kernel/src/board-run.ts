import type { Amount } from '@laurel/amounts';
import type { LocalDate } from '@laurel/calendar';
import type { Subject } from './subject.ts';

/** The dates that a board counts together. */
export interface BoardRun {
  readonly start: LocalDate;
  /** Last date, not after the board's end; null if the run is open. */
  readonly end: LocalDate | null;
}

/** A place on a board. */
export interface BoardRanking {
  readonly subject: Subject;
  readonly rank: number;
  readonly value: Amount;
}
