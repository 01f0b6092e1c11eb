import type { Exact } from '@laurel/amounts';
import type { Instant, LocalDate } from '@laurel/calendar';
import {
  LATEST_REMINDER_MS,
  type Configuration,
  type Effect,
  type RecordedEvent,
  type PointsAwarded,
  type RankChanged,
  type Subject,
  type RecordedUserEvent,
} from '@laurel/kernel';
import type { UserAnswer } from '@laurel/schemas';
import type { FinalRun } from './final-runs.ts';

/** A recorded event and its effects for one user, who for a sweep is one of the users that it settled. */
export interface UserSourceEvent<Recorded extends RecordedUserEvent = RecordedUserEvent> {
  readonly record: Recorded;
  readonly userId: string;
  /** The effects of all areas, in the order in which they apply an event. */
  readonly effects: readonly Effect[];
  /** Final runs that a correction changed, newest first. */
  readonly finalRuns: readonly FinalRun[];
  /** The version that the event carries. */
  readonly configuration: Configuration;
  /** When the outcomes are made, by the clock of the service. */
  readonly madeAt: Instant;
  /** Effects that fell due before this instant make no outcomes. -Infinity if all do. */
  readonly dueFrom: Instant;
  /** The user's points and streak when the outcome is made; null if no outcome shows them. */
  readonly standing: Standing | null;
  readonly awardIdOf: (award: PointsAwarded) => string;
  /** The last date of the run; null if it has no end. */
  readonly runEndOf: (change: RankChanged) => LocalDate | null;
  /**
   * The top of the run after the event, best first: one user more than are announced. Empty if the event moved nobody among them, or if it
   * was not read.
   */
  readonly topOf: (change: RankChanged) => readonly Ranked[];
}

/** A user on a board. */
export interface Ranked {
  readonly subject: Subject;
  /** null for an erased user. */
  readonly user: UserAnswer | null;
  readonly value: Exact;
}

export interface Standing {
  /** Totals by system, in the order of the configuration. */
  readonly points: ReadonlyMap<string, bigint>;
  /** 0 without a streak. */
  readonly streakLength: number;
}

/** A recorded event that concerns no single user. */
export interface AccountSourceEvent<Recorded extends RecordedEvent = RecordedEvent> {
  readonly record: Recorded;
  /** The version that the event carries. */
  readonly configuration: Configuration;
  /** Final runs that an import changed, newest first. */
  readonly finalRuns: readonly FinalRun[];
  /** The run that began or ended with the event, if any. */
  readonly run: RunStanding | null;
}

/** A run that began or ended, as of its event. */
export interface RunStanding {
  /** The last date of the run; null if it has no end. */
  readonly end: LocalDate | null;
  /** Users, best first, at most {@link MOST_RANKINGS}. */
  readonly top: readonly Ranked[];
}

/** Rankings that `leaderboard.started` and `leaderboard.finished` list. */
export const MOST_RANKINGS = 100;

/** Whether an effect is new enough to make an outcome. */
export const isOfNow = ({ dueFrom }: UserSourceEvent, { at }: { readonly at: Instant }): boolean => at >= dueFrom;

/**
 * Whether a reminder is new, and was recorded and is made soon enough. Imports and old events remind nobody, nor do events that had to wait
 * for a halted area or a stopped process.
 */
export const isInTime = (event: UserSourceEvent, { at }: { readonly at: Instant }): boolean =>
  isOfNow(event, { at }) && Math.max(event.record.recordedAt, event.madeAt) - at <= LATEST_REMINDER_MS;

/** Computes a value once per event, for the outcome types that share it. Remembers only the last event, whose types come one after another. */
export function oncePerEvent<Value extends object>(
  workOut: (event: UserSourceEvent) => Value,
): (event: UserSourceEvent) => Value {
  let last: { readonly event: UserSourceEvent; readonly value: Value } | null = null;
  return (event) => {
    if (last?.event !== event) last = { event, value: workOut(event) };
    return last.value;
  };
}
