import type { Instant } from '@laurel/calendar';
import type {
  CloseImport,
  UserCommand,
  CorrectionRecorded,
  ApiKeyEvent,
  OpenImport,
  PublishConfiguration,
  RequestDecided,
  RunEvent,
  BoostEvent,
  SweepUsers,
  WebhookChanged,
} from '@laurel/kernel';
import type { BeforeAfterFolds } from '../folding/corrected-fold.ts';
import type { UserRef } from '../folding/document.ts';
import type { Task } from './queue-owner.ts';

/** A command for the log, from a caller or from the engine itself. */
export type InternalCommand = UserCommand | CorrectUser | SweepUsers | AccountCommand;

/** Commands that concern no user. */
export type AccountCommand = PublishConfiguration | OpenImport | CloseImport | RecordAccountEvent;

/** A correction whose folds have begun. They include the user's events that were committed by then. */
export interface CorrectUser extends UserRef {
  readonly type: 'CorrectUser';
  readonly correction: CorrectionRecorded;
  /** Replaced by a copy that includes more events. */
  folds: BeforeAfterFolds;
}

/** Records an event that happened elsewhere, without a decision. */
export interface RecordAccountEvent {
  readonly type: 'RecordAccountEvent';
  readonly account: string;
  readonly event: ApiKeyEvent | WebhookChanged | RunEvent | BoostEvent | RequestDecided;
  /** When it happened. */
  readonly at: Instant;
}

/** A command in the queue. */
export interface EngineTask extends Task {
  readonly command: InternalCommand;
  readonly receivedAt: Instant;
  /** The caller needs no answer parts for a replay, so they are not computed. */
  readonly receiptOnly: boolean;
  /** The same for all commands submitted together; they are recorded in their order. */
  readonly submission: symbol;
}

/** The users whose states a command needs. */
export function usersOf(command: InternalCommand): readonly UserRef[] {
  if ('subject' in command) return [command];
  if (command.type !== 'SweepUsers') return [];
  return command.subjects.map((subject) => ({ account: command.account, subject }));
}
