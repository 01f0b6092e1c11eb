import type { Subject } from './subject.ts';
import type { Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { AchievementDefinition, Configuration, Metric } from './configuration.ts';
import type { ViewRequest } from './area.ts';
import type { Attribution, ErasedFrom, Grant, KeyHash, UserFields } from './log.ts';
import type { AreaName } from './area-names.ts';
import type { DamagedState } from './damaged-state.ts';
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

export const isKeyed = (command: { readonly type: string }): command is KeyedCommand =>
  command.type === 'RecordMetricEvent' || command.type === 'GiveGrant';

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

/** What the answer to an event repeats of its request. */
export interface AnsweredRequest {
  readonly metric: Metric;
  /** null: none was sent. */
  readonly idempotencyKey: string | null;
}

/** What the answer to a completion by call is made of. */
export interface AnsweredCompletion {
  readonly account: string;
  readonly userId: string;
  readonly definition: AchievementDefinition;
  /** null: not known yet (pending). */
  readonly achievedAt: Instant | null;
  readonly configuration: Configuration;
  /** null: it had been completed before, and nothing was recorded. */
  readonly outcome: Recorded | Replayed | null;
}

export interface SubmitOptions {
  readonly receiptOnly?: boolean;
  readonly stream?: CommandStream;
}

/**
 * Ties calls of {@link Intake.submit} together: the commands of one user are recorded in the order of the calls, although several
 * calls are under way at once.
 */
export interface CommandStream {
  /**
   * The intake sets it with the first refusal that {@link interrupts}, and refuses every further call of the stream as
   * `unavailable`: nothing may be recorded before what was refused. The caller waits until all its calls are answered, clears it,
   * and submits what was refused again before anything else.
   */
  interrupted: boolean;
}

const INTERRUPTING: ReadonlySet<Refused['reason']> = new Set(['overloaded', 'unavailable', 'unknown']);

/** Whether the refusal is not about the command itself, so that the same command may be recorded later. */
export const interrupts = (outcome: Outcome): boolean => outcome.kind === 'refused' && INTERRUPTING.has(outcome.reason);

/** Takes commands and records them. */
export interface Intake {
  /**
   * Records the commands in this order and resolves when all of their effects are committed.
   * Takes all of them or, if there is no room, none. Never rejects for a reason named in {@link Refused}.
   * With `receiptOnly` the caller wants to know only what was recorded: sections may be absent, and effects need not be committed
   * yet. With `stream` the call is part of a {@link CommandStream}.
   */
  submit(commands: readonly Command[], options?: SubmitOptions): Promise<readonly Outcome[]>;
  /**
   * Opens an import of the account, or sets these options on the open one.
   * @throws ProblemError if this topology cannot keep to an option.
   * @throws StoreUnavailableError if that could not be recorded.
   */
  openImport(account: string, options: ImportOptions, attribution: Attribution): Promise<OpenedImport>;
  /** Closes the account's open import, if there is one. @throws StoreUnavailableError if that could not be recorded. */
  finishImport(account: string, attribution: Attribution): Promise<FinishedImport>;
  /** The import that is open; null: none is. */
  importProgress(account: string): Promise<ImportProgress | null>;
}

export interface ImportOptions {
  /** Whether a line may owe a new user more than {@link MOST_OWED_AWARDS} time awards. */
  readonly unboundedAwards: boolean;
  /** Whether imported events make outcomes. */
  readonly outgoing: boolean;
}

/** An import that is open, and how far it has come. */
export interface ImportProgress extends ImportOptions {
  /** When it was opened, or was given the options in force. */
  readonly openedAt: Instant;
  readonly attribution: Attribution;
  /** Records of the log behind its opening; null: it is not known where that is. */
  readonly events: number | null;
  /** When something was last imported, or else it was opened. */
  readonly lastReceivedAt: Instant;
}

export interface OpenedImport extends ImportOptions {
  /** False if an import with these options was open. */
  readonly opened: boolean;
}

/**
 * Time awards that an imported event may owe a user whom it creates, unless the import is opened without that bound, and that a
 * correction may owe by making a user older.
 */
export const MOST_OWED_AWARDS = 50_000;

export interface FinishedImport {
  /** False if no import was open. */
  readonly closed: boolean;
  /** The areas in which what was recorded before the call cannot be read yet; absent: none. */
  readonly pending?: readonly AreaName[];
}
