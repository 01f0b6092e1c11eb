import type { ActiveWindow } from './active-window.ts';
import type { HashedAttribute } from './conditions.ts';
import type { Subject } from './subject.ts';
import type { Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { AttributeHashes } from '@laurel/profile';
import type { ViewRequest } from './area.ts';
import type { AreaName } from './area-names.ts';
import type { Configuration } from './configuration.ts';
import type { DamagedState } from './damaged-state.ts';
import type { ImportOptions } from './decide/open-import.ts';
import type { Attribution, ErasedFrom, Grant, ImportClosed, KeyHash, UserFields } from './events.ts';
import type { PointsRequest } from './points-requests.ts';
import type { AnswerParts } from './message.ts';

/** A valid request about one user. */
export type UserCommand =
  RecordMetricEvent | IdentifyUser | CompleteAchievement | GiveGrant | RequestPoints | EraseUser;

/** A command that may have an idempotency key. */
export type KeyedCommand = RecordMetricEvent | GiveGrant | RequestPoints;

export interface RecordMetricEvent {
  readonly type: 'RecordMetricEvent';
  readonly account: string;
  readonly subject: Subject;
  readonly metric: string;
  readonly value: Amount;
  readonly user: UserFields;
  readonly attributes: ReadonlyMap<string, string>;
  /** The hashes of `attributes`; absent without attributes. */
  readonly attributeHashes?: AttributeHashes | undefined;
  readonly keyHash: KeyHash | null;
  /** Hashes of the key with the quotes around it, as earlier releases recorded it. An event with one of them is the original, before all others. */
  readonly quotedKeyHashes?: readonly KeyHash[];
  /** Hashes of other texts under which an earlier release may have recorded the same key; the event is then a replay. */
  readonly earlierKeyHashes?: readonly KeyHash[];
  /** The instant that an import brings; null for the instant at which the event is received. */
  readonly occurredAt: Instant | null;
  /** The actor of an import. If the event opens an import, the import is recorded under this name. */
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
  /** When the achievement is active; absent: always. */
  readonly window?: ActiveWindow;
}

/** Gives a user something by hand. Refused for a user without any recorded event. */
export interface GiveGrant {
  readonly type: 'GiveGrant';
  readonly account: string;
  readonly subject: Subject;
  readonly grant: Grant;
  readonly keyHash: KeyHash | null;
  /** See {@link RecordMetricEvent}. */
  readonly quotedKeyHashes?: readonly KeyHash[];
  readonly attribution: Attribution;
}

/** Asks for points of a user to be moved. Refused for a user without any recorded event. */
export interface RequestPoints {
  readonly type: 'RequestPoints';
  readonly account: string;
  readonly subject: Subject;
  readonly request: PointsRequest;
  readonly keyHash: KeyHash;
  /** See {@link RecordMetricEvent}. */
  readonly quotedKeyHashes?: readonly KeyHash[];
}

/** Erases a user. Refused for a user without any recorded event, while an import is open, and while an area has stopped. */
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
  /** See `ConfigurationPublished`. */
  readonly attributeHashes?: readonly HashedAttribute[];
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
  command.type === 'RecordMetricEvent' || command.type === 'GiveGrant' || command.type === 'RequestPoints';

/** A metric event with its own instant. */
export type ImportedEvent = RecordMetricEvent & { readonly occurredAt: Instant };

export const isImported = (command: UserCommand): command is ImportedEvent =>
  command.type === 'RecordMetricEvent' && command.occurredAt !== null;

/** The part of the state that a replay of the command shows. */
export function viewedBy(command: KeyedCommand): Pick<ViewRequest, 'metric' | 'pointsSystem'> {
  switch (command.type) {
    case 'RecordMetricEvent':
      return { metric: command.metric };
    case 'GiveGrant':
      return { metric: null, ...(command.grant.kind === 'points' && { pointsSystem: command.grant.system }) };
    case 'RequestPoints':
      return { metric: null, pointsSystem: command.request.system };
  }
}

/** The profile fields in the command. */
export const fieldsOf = (command: UserCommand): UserFields => ('user' in command ? command.user : NO_FIELDS);

const NO_FIELDS: UserFields = {};

/** The result of a command. */
export type CommandResult = Recorded | Replayed | Refused;

export interface Recorded {
  readonly kind: 'recorded';
  readonly eventId: string;
  readonly position: number;
  readonly occurredAt: Instant;
  /** The configuration under which it was applied. */
  readonly configuration: Configuration;
  /** Present if it is a metric event before the user’s latest one, so it counts late. Absent also where that is unknown. */
  readonly late?: true;
  /** The answer parts; those of areas named in `pending` are absent. */
  readonly sections: AnswerParts;
  readonly pending: readonly AreaName[];
}

/**
 * The user has used the key before for the metric or the kind of grant. Nothing was recorded; the answer parts show the
 * present state.
 */
export interface Replayed {
  readonly kind: 'replayed';
  /** The id of the original event. */
  readonly eventId: string;
  /** Present if the original event was retracted: it counts for nothing. */
  readonly retracted?: true;
  readonly configuration: Configuration;
  readonly sections: AnswerParts;
  readonly pending: readonly AreaName[];
}

export interface Refused {
  readonly kind: 'refused';
  /**
   * `overloaded`: the intake is full. `unavailable`: the store cannot be reached. Nothing was recorded in both cases.
   * `unknown`: the store's answer was lost; the event with `eventId` may have been recorded.
   * `rejected`: the store refuses this very event. That is our bug: the edge should have refused it.
   * `too_many_attributes`: the user would have more attributes than the limit; nothing was recorded.
   * `too_many_awards`: the imported event, or the correction of the event with `eventId`, would owe the user `owed` time awards at once;
   * nothing was recorded.
   * `too_many_boosts`: the user has as many boosts of their own in the system as one may have; nothing was recorded.
   * `unknown_user`: a grant, an erasure or a correction names a user without any recorded event; nothing was recorded.
   * `erased`: the user was erased while the command was on its way; nothing was recorded. The same id is a new user from then on.
   * `import_open`: grants, erasures and corrections are refused while an import is open. `area_stopped`: erasures and corrections are
   * refused while an area has stopped.
   * Only for a correction, which was not recorded: `unknown_event`: it names an event that does not belong to the user.
   * `unknown_metric`: the event with `eventId` would fall under a version without its metric. `too_many_runs`: it would change too many
   * final runs. `corrected_meanwhile`: another correction of the user came first.
   * `not_active`: the achievement does not complete by events now; nothing was recorded.
   * `damaged`: the stored state of the user cannot be read; nothing was recorded. `damage` says more.
   */
  readonly reason:
    | 'overloaded'
    | 'unavailable'
    | 'unknown'
    | 'rejected'
    | 'too_many_attributes'
    | 'too_many_awards'
    | 'too_many_boosts'
    | 'unknown_user'
    | 'erased'
    | 'unknown_event'
    | 'unknown_metric'
    | 'too_many_runs'
    | 'import_open'
    | 'area_stopped'
    | 'corrected_meanwhile'
    | 'not_active'
    | 'damaged';
  readonly eventId: string | null;
  readonly retryAfterMs: number | null;
  readonly owed?: number;
  readonly damage?: DamagedState;
}

/**
 * The most time awards that an imported event may owe a user whom it creates, unless the import is opened without this bound, and that a
 * correction may owe by making a user older.
 */
export const MOST_OWED_AWARDS = 50_000;
