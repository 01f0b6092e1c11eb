import type { Exact } from '@laurel/amounts';
import type { Instant, LocalDate } from '@laurel/calendar';
import {
  LATEST_REMINDER_MS,
  type Configuration,
  type Effect,
  type OutcomeType,
  type PointsAwarded,
  type PointsSystemDefinition,
  type RankChanged,
  type Subject,
  type UserRecord,
} from '@laurel/kernel';
import type { UserAnswer } from '@laurel/schemas';
import type { FinalRun } from './final-runs.ts';

/** What a recorded event caused for one user; of a sweep, what it settled for one of those that it names. */
export interface Occurrence {
  readonly record: UserRecord;
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
  /** What the user has when the outcome is made; null: not read, as nothing tells of it. */
  readonly standing: Standing | null;
  readonly awardIdOf: (award: PointsAwarded) => string;
  /** The last date of the run; null: it is open. */
  readonly runEndOf: (change: RankChanged) => LocalDate | null;
  /**
   * The first of the run after the event, best first: one more than are announced, if there are so many. None if the event moved nobody
   * among them, or if that was not asked for.
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

/** What happened, before it is numbered and written. */
export interface Happening {
  readonly type: OutcomeType;
  /** What it is about, which tells it from others of its type and event: a key, a period. */
  readonly subject: string;
  readonly at: Instant;
  /** It is told from others by the instant at which it fell due; absent: by its event. */
  readonly due?: Instant;
  /** The fields of the body behind `user`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whom it concerns; absent: the user of the event. null: no user. */
  readonly user?: ConcernedUser | null;
  /** Whom `fields` names beside that user: it goes with any of them. Absent: nobody. */
  readonly others?: readonly Subject[];
}

export interface ConcernedUser {
  readonly subject: Subject;
  readonly answer: UserAnswer;
}

/** The outcomes of one type. Pure, and total: what the configuration does not hold makes none. */
export type HappeningsOf = (occurrence: Occurrence) => readonly Happening[];

/** Whether it happened since the instant from which on anything is made known. */
export const isOfNow = ({ dueFrom }: Occurrence, { at }: { readonly at: Instant }): boolean => at >= dueFrom;

/**
 * Of a reminder: whether it is of now, and was recorded and is made soon enough. What is told of the past, an import or an event of before,
 * reminds nobody, nor does what had to wait for an area or a process that had stopped.
 */
export const isInTime = (occurrence: Occurrence, { at }: { readonly at: Instant }): boolean =>
  isOfNow(occurrence, { at }) && Math.max(occurrence.record.recordedAt, occurrence.madeAt) - at <= LATEST_REMINDER_MS;

export const systemOf = ({ configuration }: Occurrence, key: string): PointsSystemDefinition | undefined =>
  configuration.pointsSystemByKey.get(key);

/** Works something out once per occurrence, for the types that share it. Remembers the last occurrence only: its types come one after another. */
export function oncePerOccurrence<Value extends object>(
  workOut: (occurrence: Occurrence) => Value,
): (occurrence: Occurrence) => Value {
  let last: { readonly occurrence: Occurrence; readonly value: Value } | null = null;
  return (occurrence) => {
    if (last?.occurrence !== occurrence) last = { occurrence, value: workOut(occurrence) };
    return last.value;
  };
}
