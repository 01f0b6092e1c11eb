import type { Subject } from './subject.ts';
import type { Amount } from '@laurel/amounts';
import type { Instant, LocalDate, Zone } from '@laurel/calendar';
import type { UserFields } from '@laurel/profile';

export type { UserFields } from '@laurel/profile';

/**
 * An idempotency key as it is recorded: the first 16 bytes of SHA-256 over account, subject, metric and key, written as a UUID.
 * `keyHashOf` of `@laurel/event-store` makes it.
 */
export type KeyHash = string;

/** The facts that the log holds. Past tense, and nothing in them that follows from earlier facts. */
export type Fact = UserFact | AccountFact;

export type UserFact =
  MetricEventRecorded | UserIdentified | AchievementCompletedByCall | GrantRecorded | CorrectionRecorded | UserErased;
export type AccountFact =
  UsersSwept | ImportOpened | ImportClosed | ConfigurationPublished | KeyFact | WebhookChanged | RunFact;
export type KeyFact = ApiKeyCreated | ApiKeyRevoked;
export type RunFact = LeaderboardRunStarted | LeaderboardRunEnded;

export interface MetricEventRecorded {
  readonly type: 'MetricEventRecorded';
  readonly subject: Subject;
  readonly metric: string;
  readonly value: Amount;
  readonly user: UserFields;
  readonly attributes: ReadonlyMap<string, string>;
  /** null: the event has no idempotency key. */
  readonly keyHash: KeyHash | null;
  /** True if the caller brought the instant itself (an import). */
  readonly imported: boolean;
  /** Present if the caller asked for a receipt only: nobody waits for what the event causes, so no effects are sent for it. */
  readonly receiptOnly?: true;
}

export interface UserIdentified {
  readonly type: 'UserIdentified';
  readonly subject: Subject;
  readonly user: UserFields;
}

export interface AchievementCompletedByCall {
  readonly type: 'AchievementCompletedByCall';
  readonly subject: Subject;
  readonly achievement: string;
  readonly user: UserFields;
}

/** Somebody gave the user something by hand, or took it. The reason is a personal field: it may name the user. */
export interface GrantRecorded extends Attribution {
  readonly type: 'GrantRecorded';
  readonly subject: Subject;
  readonly grant: Grant;
  /** null: the grant has no idempotency key. */
  readonly keyHash: KeyHash | null;
}

/** What is granted. */
export type Grant = PointsGrant | FreezesGrant | StreakGrant | DaysExcused | AchievementGrant | AchievementRevocation;

/** Points of one system. */
interface PointsGrant {
  readonly kind: 'points';
  readonly system: string;
  /** Whole points, not 0; negative: they are taken. */
  readonly amount: bigint;
  /** Present: it counts on no leaderboard. */
  readonly boards?: false;
}

/** Streak freezes, up to the maximum. */
interface FreezesGrant {
  readonly kind: 'freezes';
  /** From 1. */
  readonly amount: number;
}

/** The user's last streak lives again, if it has ended. */
interface StreakGrant {
  readonly kind: 'streak';
}

/** Dates on the user's clock, both included, on which the streak asks for nothing. */
export interface DaysExcused {
  readonly kind: 'excused';
  readonly from: LocalDate;
  /** At most 366 days with `from`. */
  readonly to: LocalDate;
}

/** The achievement is complete from now on, whatever its trigger. */
interface AchievementGrant {
  readonly kind: 'achievement';
  readonly achievement: string;
}

/** The achievement is not complete any more. What its completion caused stays. */
interface AchievementRevocation {
  readonly kind: 'revocation';
  readonly achievement: string;
}

/**
 * Events of one user count otherwise from here on: not at all, or with another value or instant (specification, section 10). It is no
 * occasion of the areas: the user is folded with and without it. The reason is a personal field, as in a grant.
 */
export interface CorrectionRecorded extends Attribution {
  readonly type: 'CorrectionRecorded';
  readonly subject: Subject;
  /** At least one, at most {@link MOST_CORRECTED_EVENTS}; no event twice. */
  readonly corrections: readonly EventCorrection[];
  /** `keep`: what was completed stays completed. Points are those of the events all the same. */
  readonly achievements: 'recompute' | 'keep';
  /** `change`: the values in runs that are final are corrected too. */
  readonly finalRuns: 'keep' | 'change';
  /** The id of the preview that was shown before. */
  readonly preview: string;
  /** null: the call has no idempotency key. */
  readonly keyHash: KeyHash | null;
}

/** Events that one call may correct. */
export const MOST_CORRECTED_EVENTS = 1_000;

export type EventCorrection = EventRetraction | EventAmendment;

/** The event is as if it had never been; if it is a correction, what it corrected is as before. */
export interface EventRetraction extends CorrectedEvent {
  readonly retract: true;
}

/** A metric event is as if it had had this value, instant or zone; at least one is there. */
export interface EventAmendment extends CorrectedEvent {
  readonly retract?: never;
  readonly value?: Amount;
  readonly occurredAt?: Instant;
  /** The user's clock from this event on, as if the event had named it. */
  readonly tz?: Zone;
}

/** An earlier event of the same user. */
interface CorrectedEvent {
  readonly position: number;
  readonly eventId: string;
}

/**
 * The user is nobody's from here on: the directory knows the subject no more, and what was sealed under its data key cannot be read.
 * The reason is kept in clear text, because that key is gone: it must not name the user.
 */
export interface UserErased extends Attribution {
  readonly type: 'UserErased';
  readonly subject: Subject;
  readonly boards: ErasedFrom;
}

/**
 * What becomes of an erased user's places in runs that are not final: `remove`: those below move up; `anonymous`: the place stays,
 * without a name. Places in final runs stay in either case.
 */
export type ErasedFrom = 'remove' | 'anonymous';

/** Time-dependent state of these users was settled up to the record's instant (not an instant of the users' own). */
export interface UsersSwept {
  readonly type: 'UsersSwept';
  readonly subjects: readonly Subject[];
}

/**
 * Who caused something by hand: the id of an API key, `environment` (the key of LAUREL_API_KEY, which has no id), `local` (the local
 * socket), `start` (the process as it starts) or `process` (the process by itself). Absent: an earlier release did not record it.
 */
export interface Attribution {
  readonly by?: string;
  /** Why, in the words of whoever did it: 1–1,000 characters. Absent: none was given. */
  readonly reason?: string;
}

export interface ImportOpened extends Attribution {
  readonly type: 'ImportOpened';
  /** Present: a line may owe a new user any number of time awards. Opening it again changes that. */
  readonly unboundedAwards?: true;
  /** Present: its events make outcomes. Opening it again changes that. */
  readonly outgoing?: true;
}

export interface ImportClosed extends Attribution {
  readonly type: 'ImportClosed';
  readonly cause: 'finished' | 'idle';
}

export interface ConfigurationPublished extends Attribution {
  readonly type: 'ConfigurationPublished';
  readonly version: number;
  /** The document as it was given, parsed. */
  readonly document: unknown;
}

/** Nothing of the key itself, and no hash of it. */
export interface ApiKeyCreated extends Attribution {
  readonly type: 'ApiKeyCreated';
  /** A UUID; `environment`: the key of LAUREL_API_KEY, whichever it is. */
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly string[];
  /** null: it does not expire. */
  readonly expiresAt: Instant | null;
  /** null: no limit. */
  readonly requestsPerMinute: number | null;
}

export interface ApiKeyRevoked extends Attribution {
  readonly type: 'ApiKeyRevoked';
  readonly id: string;
}

/** What was done to an endpoint of webhooks. Nothing of its secrets; a path may be one, so its URL is there without. */
export interface WebhookChanged extends Attribution {
  readonly type: 'WebhookChanged';
  /** A UUID. */
  readonly id: string;
  /** `rotated`: it has another secret. */
  readonly change: 'created' | 'changed' | 'rotated' | 'enabled' | 'disabled' | 'deleted';
  /** Scheme, host and port of its URL, after the change. */
  readonly origin: string;
  /** The types that are sent to it, after the change; null: all. */
  readonly types: readonly string[] | null;
  /** Of one that the process disabled: the attempt that failed last. */
  readonly failure?: { readonly status: number | null; readonly error: string };
}

/** A run has begun: its first date has, in UTC. Recorded only while a version makes that known. */
export interface LeaderboardRunStarted {
  readonly type: 'LeaderboardRunStarted';
  readonly board: string;
  /** First date of the run. */
  readonly run: LocalDate;
}

/** A run has ended in every zone, and what fell due in it is settled. Recorded only while a version makes that known. */
export interface LeaderboardRunEnded {
  readonly type: 'LeaderboardRunEnded';
  readonly board: string;
  /** First date of the run. */
  readonly run: LocalDate;
}

export type FactType = Fact['type'];

const EVERY_TYPE: Readonly<Record<FactType, true>> = {
  MetricEventRecorded: true,
  UserIdentified: true,
  AchievementCompletedByCall: true,
  GrantRecorded: true,
  CorrectionRecorded: true,
  UserErased: true,
  UsersSwept: true,
  ImportOpened: true,
  ImportClosed: true,
  ConfigurationPublished: true,
  ApiKeyCreated: true,
  ApiKeyRevoked: true,
  WebhookChanged: true,
  LeaderboardRunStarted: true,
  LeaderboardRunEnded: true,
};
/** The types that the log holds. */
export const FACT_TYPES = Object.keys(EVERY_TYPE) as readonly FactType[];

/** A fact before it has a place in the log. */
export interface NewRecord<F = Fact> {
  /** UUID, made before the append, so that an append whose outcome is unknown can be looked up. */
  readonly eventId: string;
  readonly account: string;
  /** The version in force when it was recorded; for ConfigurationPublished its own. */
  readonly configurationVersion: number;
  /** The event's instant: when it was received, or what an import says. */
  readonly occurredAt: Instant;
  /** When it was received, or later: in a log in Postgres it never lies before that of the record before. */
  readonly recordedAt: Instant;
  readonly fact: F;
}

/** A fact at its place in the log. */
export interface LogRecord<F = Fact> extends NewRecord<F> {
  /** Total order over the whole log; grows, but need not be contiguous. */
  readonly position: number;
}
