import type { Subject } from './subject.ts';
import type { Amount } from '@laurel/amounts';
import type { Instant, LocalDate, Zone } from '@laurel/calendar';
import type { Boost } from './boost.ts';
import type { Effect } from './effects.ts';
import type { UserOnOccasion } from './occasion.ts';
import type { AreaName } from './area-names.ts';
import type { DomainEvent, RecordedEvent, UserEvent } from './events.ts';
import type { Verdict } from './points-requests.ts';

/** A record of one user. */
export type RecordedUserEvent = RecordedEvent<UserEvent | UserSwept>;

/**
 * What travels down the chain: a record of the log that concerns one user, and what the areas that have applied it made of it.
 *
 * A sweep travels as one message per user that it names; its `record.fact` is the {@link UserSwept} of that user.
 */
export interface ChainMessage {
  readonly record: RecordedUserEvent;
  /** The areas that have applied the record, in order. */
  readonly areas: readonly AreaName[];
  /** What the users area knows after the record; null until it has applied it. */
  readonly user: Readonly<UserOnOccasion> | null;
  /** What the record caused in these areas, in order. The areas behind read it. */
  readonly effects: readonly Effect[];
  /** What the answer shows of these areas. No area reads it, and it may be absent where nobody waits for an answer. */
  readonly sections: AnswerParts;
}

/** A record that no area has applied. */
export const newMessage = (record: RecordedUserEvent): ChainMessage => ({
  record,
  areas: NO_AREAS,
  user: null,
  effects: NO_EFFECTS,
  sections: NO_ANSWER,
});

const NO_AREAS: ChainMessage['areas'] = [];
const NO_EFFECTS: ChainMessage['effects'] = [];
const NO_ANSWER: AnswerParts = {};

/** What the areas show of a record: absent while an area has not applied it, null for an area that shows nothing. */
export type AnswerParts = {
  readonly [Area in AreaName]?: Area extends keyof AnswerPartOf ? AnswerPartOf[Area] : null;
};

interface AnswerPartOf {
  readonly users: UsersAnswer;
  readonly streaks: StreaksAnswer;
  readonly achievements: AchievementsAnswer;
  readonly points: PointsAnswer;
  readonly leaderboards: LeaderboardsAnswer;
}

export interface UserSwept {
  readonly type: 'UserSwept';
  readonly subject: Subject;
  /** The user's place among those of the sweep, from 0: the order in which they are settled. */
  readonly place: number;
}

/** A user's part of a sweep. Applying it settles what has fallen due for the user up to the record's instant. */
export const sweepOf = (
  record: Omit<RecordedEvent, 'fact'>,
  subject: Subject,
  place = 0,
): RecordedEvent<UserSwept> => ({ ...record, fact: { type: 'UserSwept', subject, place } });

/** A user's own event, or the parts of a sweep, one for each of its users; empty for events that concern no user. */
export function userEventsOf(record: RecordedEvent): readonly RecordedUserEvent[] {
  const { fact } = record;
  if (fact.type === 'UsersSwept') return fact.subjects.map((subject, place) => sweepOf(record, subject, place));
  return isOfUser(record) ? [record] : NO_USER;
}

export const isOfUser = (record: RecordedEvent): record is RecordedEvent<UserEvent> =>
  userEventIn(record.fact) !== null;

/** Does not compile once an event of the account has a `subject`. */
const userEventIn = (event: DomainEvent): UserEvent | null => ('subject' in event ? event : null);

const NO_USER: readonly RecordedUserEvent[] = [];

/** What the users area knows after the record. */
export interface UsersAnswer {
  /** True if this record created the user. */
  readonly created: boolean;
  readonly createdAt: Instant;
  /** The user's clock from this record on, and the one before it (equal unless the record changed it). */
  readonly zone: Zone;
  readonly previousZone: Zone;
  /** The date of the record's instant on the clock `zone`. */
  readonly date: LocalDate;
  /** Of a metric event: the user's total of that metric, this event included. */
  readonly total: Amount | null;
}

export interface StreaksAnswer {
  /** Present: it is a metric event before the user’s latest one, so it counts late. */
  readonly late?: true;
  /** True if this event extended (or began) the streak. */
  readonly extended: boolean;
  /** The streak as of the instant that counts (specification, section 4). */
  readonly streak: StreakView;
  /** Each change of the current length, in order: to 0 at the instant at which the streak ended, to n when it was extended. */
  readonly changes: readonly StreakChange[];
}

export interface StreakChange {
  readonly at: Instant;
  readonly length: number;
}

/** A streak as it reads at one instant. */
export interface StreakView {
  /** 0 if no streak is alive. */
  readonly length: number;
  readonly frequency: 'daily' | 'weekly' | 'monthly';
  readonly started: LocalDate | null;
  /** Bounds of the current period; null without a streak configured. */
  readonly periodStart: LocalDate | null;
  readonly periodEnd: LocalDate | null;
  readonly expires: LocalDate | null;
  /** Instant of the last extension; null if not alive. */
  readonly extendedAt: Instant | null;
  /** Freezes held; only with freezes configured. */
  readonly freezes?: number;
}

export interface AchievementsAnswer {
  /** In order of the answer. */
  readonly completed: readonly CompletedAchievement[];
}

interface CompletedAchievement {
  readonly key: string;
  readonly achievedAt: Instant;
}

export interface PointsAnswer {
  /** In order of recording: those of due time triggers first. */
  readonly awards: readonly PointsAward[];
  /** The systems in which a trigger of this record fired (due time triggers aside), in configuration order. */
  readonly systems: readonly PointsSystemOutcome[];
  /** How a request for points was decided; absent for other events. */
  readonly verdict?: Verdict;
}

export interface PointsAward {
  /** null: a due time award's, which the one who shows it derives. */
  readonly id: string | null;
  readonly system: string;
  readonly triggerId: string;
  /** What was given or taken, after the cut to the room there was; never 0. */
  readonly awarded: bigint;
  /** The user's total after it. */
  readonly total: bigint;
  readonly at: Instant;
  /** The date of `at` on the user's clock then in force. */
  readonly date: LocalDate;
  /** True for a time award that fell due at or before the record, false for what the record itself caused. */
  readonly due: boolean;
  /** What multiplied it; absent if nothing did. */
  readonly boosts?: readonly Boost[];
}

export interface PointsSystemOutcome {
  readonly key: string;
  readonly total: bigint;
  /** Sum of the record's own awards, due time awards aside. */
  readonly added: bigint;
  /** Present only if the record changed the level, due time awards aside: the new level's key, null if below all. */
  readonly level?: string | null;
}

export interface LeaderboardsAnswer {
  /** The boards whose value the record itself changed (net), in configuration order. */
  readonly boards: readonly BoardOutcome[];
}

export interface BoardOutcome {
  readonly key: string;
  /** The run of the event's own date: first and last date (null: open end). */
  readonly runStart: LocalDate;
  readonly runEnd: LocalDate | null;
  /** Exact, directly before (after due time awards) and after; null: not ranked. */
  readonly previousRank: number | null;
  readonly rank: number | null;
  /** The last ranked value if the board is full, else 0. */
  readonly threshold: Amount;
}

/** Whether a caller may be waiting for what the record causes. */
export const isAwaited = ({ record: { fact } }: ChainMessage): boolean =>
  fact.type !== 'UserSwept' && !(fact.type === 'MetricEventRecorded' && fact.receiptOnly);
