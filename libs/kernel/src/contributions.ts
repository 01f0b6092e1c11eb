import type { Exact } from '@laurel/amounts';
import type { Day, Instant } from '@laurel/calendar';
import type { Subject } from './subject.ts';

/** What a record changes in some boards. Their owner learns nothing else of the record. */
export interface Contributions {
  readonly account: string;
  /** Of the record: the boards are those of this version. */
  readonly configurationVersion: number;
  readonly subject: Subject;
  readonly position: number;
  /** Of the record, if one of these runs was final by then; else null. */
  readonly recordedAt: Instant | null;
  /** In order of recording within each board. */
  readonly changes: readonly Contribution[];
  /** What the answer to the record needs; null: nobody waits for it, so none is made. */
  readonly answer: BoardsAnswer | null;
}

/** A change of the user's value in one run of one board. */
export interface Contribution {
  /** The board's number. */
  readonly board: number;
  /** First day of the run. */
  readonly run: Day;
  /** Adds to the value, or sets it. Millionths. */
  readonly change: Exact;
  readonly sets: boolean;
  readonly at: Instant;
  /** The place of its cause among the causes of the record. */
  readonly ordinal: number;
  /** True for what was due before the record, false for what the record itself did. */
  readonly due: boolean;
}

export interface BoardsAnswer {
  readonly eventId: string;
  /** Of the record's instant on the user's clock: the answer shows the runs that hold it. */
  readonly day: Day;
}
