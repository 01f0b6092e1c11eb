import type { Instant } from '@laurel/calendar';
import type {
  AreaName,
  UserCommand,
  CommandResult,
  Recorded,
  Refused,
  Replayed,
  AchievementDefinition,
  Metric,
  Attribution,
  ImportOptions,
} from '@laurel/kernel';

/** The parts of a request that the answer to an event repeats. */
export interface AnsweredRequest {
  readonly metric: Metric;
  /** null if none was sent. */
  readonly idempotencyKey: string | null;
}

/** Input of the answer to a completion by call. */
export interface AnsweredCompletion {
  readonly account: string;
  readonly userId: string;
  readonly definition: AchievementDefinition;
  /** null if not known yet (pending). */
  readonly achievedAt: Instant | null;
  /** null if it had been completed before; nothing was recorded. */
  readonly outcome: Recorded | Replayed | null;
}

export interface SubmitOptions {
  readonly receiptOnly?: boolean;
  readonly stream?: CommandStream;
}

/**
 * Connects calls of {@link Intake.submit}: the commands of one user are recorded in the order of the calls, even if
 * several calls run at the same time.
 */
export interface CommandStream {
  /**
   * The intake sets it with the first refusal that {@link interrupts}, and refuses every further call of the stream as `unavailable`:
   * no later command may be recorded before a refused one. The caller waits until all its calls are answered, clears it, and submits
   * the refused commands again before any others.
   */
  interrupted: boolean;
}

const INTERRUPTING: ReadonlySet<Refused['reason']> = new Set(['overloaded', 'unavailable', 'unknown']);

/** Whether the outcome is a refusal for another reason than the command itself, so that the same command may be recorded later. */
export const interrupts = (outcome: CommandResult): boolean =>
  outcome.kind === 'refused' && INTERRUPTING.has(outcome.reason);

/** Takes commands and records them. */
export interface Intake {
  /**
   * Records the commands in this order and resolves when all of their effects are committed.
   * Takes all of them or, if there is no room, none. Never rejects for a reason named in {@link Refused}.
   * With `receiptOnly` the caller wants only a receipt: answer parts may be absent, and effects need not be committed yet. With `stream` the call is part of a {@link CommandStream}.
   */
  submit(commands: readonly UserCommand[], options?: SubmitOptions): Promise<readonly CommandResult[]>;
  /**
   * Opens an import of the account, or sets these options on the open one.
   * @throws ProblemError if this topology does not support an option.
   * @throws StoreUnavailableError if it could not be recorded.
   */
  openImport(account: string, options: ImportOptions, attribution: Attribution): Promise<OpenedImport>;
  /** Closes the account's open import, if there is one. @throws StoreUnavailableError if it could not be recorded. */
  finishImport(account: string, attribution: Attribution): Promise<FinishedImport>;
  /** The open import; null if there is none. */
  importProgress(account: string): Promise<ImportProgress | null>;
}

/** An open import, and its progress. */
export interface ImportProgress extends ImportOptions {
  /** When it was opened, or got the options in force. */
  readonly openedAt: Instant;
  readonly attribution: Attribution;
  /** Number of records in the log after its opening; null if the position of the opening is unknown. */
  readonly events: number | null;
  /** When the last event was imported; without any, when the import was opened. */
  readonly lastReceivedAt: Instant;
}

export interface OpenedImport extends ImportOptions {
  /** False if an import with these options was open. */
  readonly opened: boolean;
}

export interface FinishedImport {
  /** False if no import was open. */
  readonly closed: boolean;
  /** The areas that do not yet show everything recorded before the call. Missing if there are none. */
  readonly pending?: readonly AreaName[];
}
