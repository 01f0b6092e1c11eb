import type { Exact } from '@laurel/amounts';
import type { Day, Instant } from '@laurel/calendar';
import type { Subject } from './subject.ts';

/**
 * The changes that a recorded event makes in some boards. The owner of the boards learns nothing else about the event.
 */
export interface Contributions {
  readonly account: string;
  /** The version of the event, which has these boards. */
  readonly configurationVersion: number;
  readonly subject: Subject;
  readonly position: number;
  /** When the event was recorded, if one of these runs was final by then; else null. */
  readonly recordedAt: Instant | null;
  /** In order of recording within each board. */
  readonly changes: readonly Contribution[];
  /** Input of the answer part; null if nobody waits for it. */
  readonly answer: BoardsAnswer | null;
}

/** A change of the user's value in one run of one board. */
export interface Contribution {
  /** The board's number. */
  readonly board: number;
  /** First day of the run. */
  readonly run: Day;
  /** Millionths to add to the value, or its new value. */
  readonly change: Exact;
  readonly sets: boolean;
  readonly at: Instant;
  /** The index of its cause within the event: of an award among the awards, of a streak change among the streak changes. In a sweep it continues after the users before. */
  readonly ordinal: number;
  /**
   * True for a cause that was due before the event, such as a time award or the end of a streak. It appears to happen directly before the
   * event.
   */
  readonly due: boolean;
}

export interface BoardsAnswer {
  readonly eventId: string;
  /** The date of the event on the user's clock; the answer shows the runs that hold it. */
  readonly day: Day;
}
