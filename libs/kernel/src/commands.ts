import type { Subject } from './subject.ts';
import type { Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { ViewRequest } from './area.ts';
import type { AreaName } from './area-names.ts';
import type { Configuration } from './configuration.ts';
import type { DamagedState } from './damaged-state.ts';
import type { ImportOptions } from './decide/open-import.ts';
import type { Attribution, ErasedFrom, Grant, ImportClosed, KeyHash, UserFields } from './events.ts';
import type { Sections } from './message.ts';

/** What a caller wants to record. It has been validated. */
export type Command = RecordMetricEvent | IdentifyUser | CompleteAchievement | GiveGrant | EraseUser;

/** A command that may have an idempotency key. */
export type KeyedCommand = RecordMetricEvent | GiveGrant;

export interface RecordMetricEvent {
  readonly type: 'RecordMetricEvent';
  readonly account: string;
  readonly subject: Subject;
  readonly metric: string;
  readonly value: Amount;
  readonly user: UserFields;
  readonly attributes: ReadonlyMap<string, string>;
  readonly keyHash: KeyHash | null;
  /** Of the key with the quotes that it came in, as earlier releases recorded it: an event that has it is the original, before all others. */
  readonly quotedKeyHashes?: readonly KeyHash[];
  /** Of other texts under which an earlier release may have recorded the same key; the event is then a replay. */
  readonly earlierKeyHashes?: readonly KeyHash[];
  /** The instant that an import brings; null: the instant at which it is received. */
  readonly occurredAt: Instant | null;
  /** Who imports it. If the event opens an import, the import is recorded under this name. */
  readonly importedBy?: string;
}

export interface IdentifyUser {
  readonly type: 'IdentifyUser';
  readonly account: string;
  readonly subject: Subject;
  readonly user: UserFields;
}

export interface CompleteAchievement {
  readonly type: 'CompleteAchievement';
  readonly account: string;
  readonly subject: Subject;
  readonly achievement: string;
  readonly user: UserFields;
}

/** Gives a user something by hand. It is refused for a user of whom nothing is recorded. */
export interface GiveGrant {
  readonly type: 'GiveGrant';
  readonly account: string;
  readonly subject: Subject;
  readonly grant: Grant;
  readonly keyHash: KeyHash | null;
  /** As of an event. */
  readonly quotedKeyHashes?: readonly KeyHash[];
  readonly attribution: Attribution;
}

/** Erases a user. It is refused for one of whom nothing is recorded, while an import is open, and while an area has stopped. */
export interface EraseUser {
  readonly type: 'EraseUser';
  readonly account: string;
  readonly subject: Subject;
  readonly boards: ErasedFrom;
  readonly attribution: Attribution;
}

/** Publishes a document as the account's next version. It has been validated. */
export interface PublishConfiguration {
  readonly type: 'PublishConfiguration';
  readonly account: string;
  readonly document: unknown;
  readonly attribution: Attribution;
}

/** Settles what has fallen due for these users. */
export interface SweepUsers {
  readonly type: 'SweepUsers';
  readonly account: string;
  readonly subjects: readonly Subject[];
}

export interface OpenImport {
  readonly type: 'OpenImport';
  readonly account: string;
  readonly options: ImportOptions;
  readonly attribution: Attribution;
}

export interface CloseImport {
  readonly type: 'CloseImport';
  readonly account: string;
  readonly cause: ImportClosed['cause'];
  readonly attribution: Attribution;
}

export const isKeyed = (command: { readonly type: string }): command is KeyedCommand =>
  command.type === 'RecordMetricEvent' || command.type === 'GiveGrant';

/** A metric event that brings its own instant. */
export type ImportedEvent = RecordMetricEvent & { readonly occurredAt: Instant };

export const isImported = (command: Command): command is ImportedEvent =>
  command.type === 'RecordMetricEvent' && command.occurredAt !== null;

/** What a replay of the command shows. */
export const viewedBy = (command: KeyedCommand): Pick<ViewRequest, 'metric' | 'pointsSystem'> =>
  command.type === 'RecordMetricEvent'
    ? { metric: command.metric }
    : { metric: null, ...(command.grant.kind === 'points' && { pointsSystem: command.grant.system }) };

/** What the command says of its user. */
export const fieldsOf = (command: Command): UserFields => ('user' in command ? command.user : NO_FIELDS);

const NO_FIELDS: UserFields = {};

/** What became of a command. */
export type Outcome = Recorded | Replayed | Refused;

export interface Recorded {
  readonly kind: 'recorded';
  readonly eventId: string;
  readonly position: number;
  readonly occurredAt: Instant;
  /** The configuration under which it was applied. */
  readonly configuration: Configuration;
  /** Present: it is a metric event before the user’s latest one, so it counts late. Absent also where that is not known. */
  readonly late?: true;
  /** Sections of areas named in `pending` are absent. */
  readonly sections: Sections;
  readonly pending: readonly AreaName[];
}

/** The user has used that key before for that metric, or that kind of grant: nothing was recorded, the sections show the present state. */
export interface Replayed {
  readonly kind: 'replayed';
  /** Of the original event. */
  readonly eventId: string;
  /** Present: the original event was retracted, and counts for nothing. */
  readonly retracted?: true;
  readonly configuration: Configuration;
  readonly sections: Sections;
  readonly pending: readonly AreaName[];
}

export interface Refused {
  readonly kind: 'refused';
  /**
   * `overloaded`: the intake is full. `unavailable`: the store cannot be reached. Nothing was recorded in both cases.
   * `unknown`: the store's answer was lost; the event with `eventId` may have been recorded.
   * `rejected`: the store refuses this very event (a bug of ours: the edge should have refused it).
   * `too_many_attributes`: the user would have more attributes than the limit; nothing was recorded.
   * `too_many_awards`: the imported event would owe a new user `owed` time awards at once, or a correction by what it makes of the event
   * with `eventId`; nothing was recorded.
   * `unknown_user`: nothing is recorded of the user whom a grant, an erasure or a correction is for; nor was that.
   * `erased`: the user was erased while the command was on its way; nothing was recorded. The same id is a new user from then on.
   * `import_open`: nobody is erased or corrected, or gets a grant, while an import is open. `area_stopped`: an area has stopped, so nobody is
   * erased or corrected.
   * Of a correction, of which nothing was recorded: `unknown_event`: an event that it names is none of the user's own.
   * `unknown_metric`: the event with `eventId` would be of a version without its metric. `too_many_runs`: it would change too many final runs. `corrected_meanwhile`: another correction of the user came first.
   * `damaged`: what is stored of the user cannot be read; nothing was recorded. `damage` says what.
   */
  readonly reason:
    | 'overloaded'
    | 'unavailable'
    | 'unknown'
    | 'rejected'
    | 'too_many_attributes'
    | 'too_many_awards'
    | 'unknown_user'
    | 'erased'
    | 'unknown_event'
    | 'unknown_metric'
    | 'too_many_runs'
    | 'import_open'
    | 'area_stopped'
    | 'corrected_meanwhile'
    | 'damaged';
  readonly eventId: string | null;
  readonly retryAfterMs: number | null;
  readonly owed?: number;
  readonly damage?: DamagedState;
}

/**
 * Time awards that an imported event may owe a user whom it creates, unless the import is opened without that bound, and that a
 * correction may owe by making a user older.
 */
export const MOST_OWED_AWARDS = 50_000;
