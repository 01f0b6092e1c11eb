import type { BoostEvent, BoostGrant } from './boost-events.ts';
import type { HashedAttribute } from './conditions.ts';
import type { Subject } from './subject.ts';
import type { Amount } from '@laurel/amounts';
import type { Instant, LocalDate, Zone } from '@laurel/calendar';
import type { AttributeHashes, UserFields } from '@laurel/profile';
import type { PointsRequest, RequestDecided } from './points-requests.ts';

export type { UserFields } from '@laurel/profile';

/**
 * An idempotency key as it is recorded: the first 16 bytes of SHA-256 over account, subject, metric and key, written as a UUID.
 * `keyHashOf` of `@laurel/event-store` makes it.
 */
export type KeyHash = string;

/** The events of the log, named in the past tense. They contain nothing that the rules compute. */
export type DomainEvent = UserEvent | AccountEvent;

export type UserEvent =
  | MetricEventRecorded
  | UserIdentified
  | AchievementCompletedByCall
  | GrantRecorded
  | PointsRequest
  | CorrectionRecorded
  | UserErased;
export type AccountEvent =
  | UsersSwept
  | RequestDecided
  | ImportOpened
  | ImportClosed
  | ConfigurationPublished
  | ApiKeyEvent
  | WebhookChanged
  | RunEvent
  | BoostEvent;
export type ApiKeyEvent = ApiKeyCreated | ApiKeyRevoked;
export type RunEvent = LeaderboardRunStarted | LeaderboardRunEnded;

export interface MetricEventRecorded {
  readonly type: 'MetricEventRecorded';
  readonly subject: Subject;
  readonly metric: string;
  readonly value: Amount;
  readonly user: UserFields;
  readonly attributes: ReadonlyMap<string, string>;
  /** The hashes of `attributes`. Absent without attributes, and in records of earlier releases. */
  readonly attributeHashes?: AttributeHashes | undefined;
  /** null if the event has no idempotency key. */
  readonly keyHash: KeyHash | null;
  /** True if the caller sent the instant, as imports do. */
  readonly imported: boolean;
  /** Present if the caller asked only for a receipt: no effects are sent, because nobody waits for them. */
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

/** A grant or a revocation by hand. The reason is a personal field: it may name the user. */
export interface GrantRecorded extends Attribution {
  readonly type: 'GrantRecorded';
  readonly subject: Subject;
  readonly grant: Grant;
  /** null if the grant has no idempotency key. */
  readonly keyHash: KeyHash | null;
}

export type Grant =
  PointsGrant | BoostGrant | FreezesGrant | StreakGrant | DaysExcused | AchievementGrant | AchievementRevocation;

/** Gives or takes points of one system. */
interface PointsGrant {
  readonly kind: 'points';
  readonly system: string;
  /** Whole points, not 0; negative to take points. */
  readonly amount: bigint;
  /** Present if the points count on no leaderboard. */
  readonly boards?: false;
}

/** Gives streak freezes, up to the maximum. */
interface FreezesGrant {
  readonly kind: 'freezes';
  /** At least 1. */
  readonly amount: number;
}

/** Restores the user's last streak, if it has ended. */
interface StreakGrant {
  readonly kind: 'streak';
}

/** Excuses the user's streak on these dates of the user's clock, both inclusive. */
export interface DaysExcused {
  readonly kind: 'excused';
  readonly from: LocalDate;
  /** At most 366 days, including `from`. */
  readonly to: LocalDate;
}

/** Completes the achievement, whatever its trigger. */
interface AchievementGrant {
  readonly kind: 'achievement';
  readonly achievement: string;
}

/** Revokes the achievement. Whatever its completion caused stays. */
interface AchievementRevocation {
  readonly kind: 'revocation';
  readonly achievement: string;
}

/**
 * From here on, events of one user count with another value, instant or zone, or not at all (specification, section 10). Areas do not
 * apply it as an occasion: the user is folded with and without it. The reason is a personal field, as in a grant.
 */
export interface CorrectionRecorded extends Attribution {
  readonly type: 'CorrectionRecorded';
  readonly subject: Subject;
  /** From one to {@link MOST_CORRECTED_EVENTS}, each event at most once. */
  readonly corrections: readonly EventCorrection[];
  /** `keep`: completed achievements stay completed. Points follow the corrected events in either case. */
  readonly achievements: 'recompute' | 'keep';
  /** `change`: values in final runs are corrected, too. */
  readonly finalRuns: 'keep' | 'change';
  /** The id of the preview that the caller had seen. */
  readonly preview: string;
  /** null if the call has no idempotency key. */
  readonly keyHash: KeyHash | null;
}

/** The most events that one call may correct. */
export const MOST_CORRECTED_EVENTS = 1_000;

export type EventCorrection = EventRetraction | EventAmendment;

/** The event no longer counts. If it is a correction, the events that it corrected count as before. */
export interface EventRetraction extends CorrectedEvent {
  readonly retract: true;
}

/** A metric event counts with this value, instant or zone; at least one is present. */
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
 * The user is erased: the directory no longer knows the subject, and fields sealed under its data key cannot be read. The reason is kept
 * in clear text, because that key is gone, so it must not name the user.
 */
export interface UserErased extends Attribution {
  readonly type: 'UserErased';
  readonly subject: Subject;
  readonly boards: ErasedFrom;
}

/**
 * How an erasure treats the user's places in runs that are not final. `remove`: users below move up. `anonymous`: the place stays,
 * without a name. Places in final runs stay in either case.
 */
export type ErasedFrom = 'remove' | 'anonymous';

/** The time-dependent state of these users was settled up to the instant of this event. */
export interface UsersSwept {
  readonly type: 'UsersSwept';
  readonly subjects: readonly Subject[];
}

/**
 * The actor of a manual action: the id of an API key, `environment` (the key of LAUREL_API_KEY, which has no id), `local` (the local
 * socket), `start` (the process as it starts) or `process` (the process by itself). Absent if an earlier release did not record it.
 */
export interface Attribution {
  readonly by?: string;
  /** The reason, in the actor's own words: 1–1,000 characters. Absent if none was given. */
  readonly reason?: string;
}

export interface ImportOpened extends Attribution {
  readonly type: 'ImportOpened';
  /** Present if a line may owe a new user any number of time awards. Opening the import again changes it. */
  readonly unboundedAwards?: true;
  /** Present if its events make outcomes. Opening the import again changes it. */
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
  /** The hashes of all attributes that the document's conditions name; absent if it has none. */
  readonly attributeHashes?: readonly HashedAttribute[];
}

/** Holds neither the key nor a hash of it. */
export interface ApiKeyCreated extends Attribution {
  readonly type: 'ApiKeyCreated';
  /** A UUID; `environment` for whichever key LAUREL_API_KEY holds. */
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly string[];
  /** null if it does not expire. */
  readonly expiresAt: Instant | null;
  /** null if there is no limit. */
  readonly requestsPerMinute: number | null;
}

export interface ApiKeyRevoked extends Attribution {
  readonly type: 'ApiKeyRevoked';
  readonly id: string;
}

/** A change of a webhook endpoint, without its secrets. The path of a URL may be a secret, so only the origin is recorded. */
export interface WebhookChanged extends Attribution {
  readonly type: 'WebhookChanged';
  /** A UUID. */
  readonly id: string;
  /** `rotated`: it has a new secret. */
  readonly change: 'created' | 'changed' | 'rotated' | 'enabled' | 'disabled' | 'deleted';
  /** Scheme, host and port of its URL, after the change. */
  readonly origin: string;
  /** The types that are sent to it, after the change; null for all. */
  readonly types: readonly string[] | null;
  /** The last failed attempt, if the process disabled the endpoint. */
  readonly failure?: { readonly status: number | null; readonly error: string };
}

/** A run has begun with its first date in UTC. Recorded only while a version makes outcomes of it. */
export interface LeaderboardRunStarted {
  readonly type: 'LeaderboardRunStarted';
  readonly board: string;
  /** First date of the run. */
  readonly run: LocalDate;
}

/** A run has ended in every zone, and all that fell due in it is settled. Recorded only while a version makes outcomes of it. */
export interface LeaderboardRunEnded {
  readonly type: 'LeaderboardRunEnded';
  readonly board: string;
  /** First date of the run. */
  readonly run: LocalDate;
}

export type DomainEventType = DomainEvent['type'];

const EVERY_TYPE: Readonly<Record<DomainEventType, true>> = {
  MetricEventRecorded: true,
  UserIdentified: true,
  AchievementCompletedByCall: true,
  GrantRecorded: true,
  SpendRequested: true,
  RefundRequested: true,
  CorrectionRecorded: true,
  UserErased: true,
  UsersSwept: true,
  RequestDecided: true,
  ImportOpened: true,
  ImportClosed: true,
  ConfigurationPublished: true,
  ApiKeyCreated: true,
  ApiKeyRevoked: true,
  WebhookChanged: true,
  LeaderboardRunStarted: true,
  LeaderboardRunEnded: true,
  BoostStarted: true,
  BoostFinished: true,
};
/** The event types of the log. */
export const DOMAIN_EVENT_TYPES = Object.keys(EVERY_TYPE) as readonly DomainEventType[];

/** An event before it has a position in the log. */
export interface NewRecord<F = DomainEvent> {
  /** A UUID, made before the append, so that an append with an unknown result can be looked up. */
  readonly eventId: string;
  readonly account: string;
  /** The version in force when it was recorded; for ConfigurationPublished its own. */
  readonly configurationVersion: number;
  /** The event's instant: when it was received, or the instant that an import gives. */
  readonly occurredAt: Instant;
  /** When it was received, or later. In a Postgres log it is never earlier than that of the previous record. */
  readonly recordedAt: Instant;
  readonly fact: F;
}

/** A recorded event, with its position in the log. */
export interface RecordedEvent<F = DomainEvent> extends NewRecord<F> {
  /** Total order over the whole log; grows, but need not be contiguous. */
  readonly position: number;
}
