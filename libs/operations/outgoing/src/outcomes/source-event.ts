import type { Exact } from '@laurel/amounts';
import type { Instant, LocalDate } from '@laurel/calendar';
import {
  LATEST_REMINDER_MS,
  type Configuration,
  type Effect,
  type LogRecord,
  type PointsAwarded,
  type PointsSystemDefinition,
  type RankChanged,
  type Subject,
  type UserRecord,
} from '@laurel/kernel';
import type { UserAnswer } from '@laurel/schemas';
import type { FinalRun } from './final-runs.ts';

/** A recorded event and what it caused for one user; of a sweep, what it settled for one of those that it names. */
export interface UserEvent<Recorded extends UserRecord = UserRecord> {
  readonly record: Recorded;
  readonly userId: string;
  /** Of all areas, in the order in which they apply an event. */
  readonly effects: readonly Effect[];
  /** Those that a correction changed, the newest first. */
  readonly finalRuns: readonly FinalRun[];
  /** The version that the event carries. */
  readonly configuration: Configuration;
  /** When the outcomes are made, by the clock of the service. */
  readonly madeAt: Instant;
  /** What fell due before is of the past, and makes nothing. -Infinity: there is no such instant. */
  readonly dueFrom: Instant;
  /** What the user has when the outcome is made; null: not read, as no outcome shows it. */
  readonly standing: Standing | null;
  readonly awardIdOf: (award: PointsAwarded) => string;
  /** The last date of the run; null: it is open. */
  readonly runEndOf: (change: RankChanged) => LocalDate | null;
  /**
   * The first of the run after the event, best first: one more than are announced, if there are so many. None if the event moved nobody
   * among them, or if it was not read.
   */
  readonly topOf: (change: RankChanged) => readonly Ranked[];
}

/** Somebody on a board. */
export interface Ranked {
  readonly subject: Subject;
  /** null: nobody knows them any more. */
  readonly user: UserAnswer | null;
  readonly value: Exact;
}

export interface Standing {
  /** Totals by system, in the order of the configuration. */
  readonly points: ReadonlyMap<string, bigint>;
  /** 0: no streak is alive. */
  readonly streakLength: number;
}

/** A recorded event that concerns no single user. */
export interface AccountEvent<Recorded extends LogRecord = LogRecord> {
  readonly record: Recorded;
  /** The version that the event carries. */
  readonly configuration: Configuration;
  /** Those that an import changed, the newest first. */
  readonly finalRuns: readonly FinalRun[];
  /** The run that began or ended with the event; null: none did. */
  readonly run: RunStanding | null;
}

/** A run that began or ended, as of its event. */
export interface RunStanding {
  /** The last date of the run; null: it is open. */
  readonly end: LocalDate | null;
  /** The first of the run, best first, at most {@link MOST_RANKINGS}. */
  readonly top: readonly Ranked[];
}

/** Rankings that `leaderboard.started` and `leaderboard.finished` have. */
export const MOST_RANKINGS = 100;

/** Whether it happened since the instant from which on outcomes are made. */
export const isOfNow = ({ dueFrom }: UserEvent, { at }: { readonly at: Instant }): boolean => at >= dueFrom;

/**
 * Whether a reminder is of now, and was recorded and is made soon enough. An import and an event of the past remind nobody, nor does what
 * had to wait for an area or a process that had stopped.
 */
export const isInTime = (event: UserEvent, { at }: { readonly at: Instant }): boolean =>
  isOfNow(event, { at }) && Math.max(event.record.recordedAt, event.madeAt) - at <= LATEST_REMINDER_MS;

export const systemOf = ({ configuration }: UserEvent, key: string): PointsSystemDefinition | undefined =>
  configuration.pointsSystemByKey.get(key);

/** Works something out once per event, for the types that share it. Remembers the last event only: its types come one after another. */
export function oncePerEvent<Value extends object>(workOut: (event: UserEvent) => Value): (event: UserEvent) => Value {
  let last: { readonly event: UserEvent; readonly value: Value } | null = null;
  return (event) => {
    if (last?.event !== event) last = { event, value: workOut(event) };
    return last.value;
  };
}
