import type { Instant } from '@laurel/calendar';
import type {
  AreaName,
  Command,
  Outcome,
  Recorded,
  Refused,
  Replayed,
  AchievementDefinition,
  Metric,
  Attribution,
  ImportOptions,
} from '@laurel/kernel';

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

export interface FinishedImport {
  /** False if no import was open. */
  readonly closed: boolean;
  /** The areas in which what was recorded before the call cannot be read yet; absent: none. */
  readonly pending?: readonly AreaName[];
}
