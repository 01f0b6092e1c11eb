import { localDate, type Instant } from '@laurel/calendar';
import { correctEvents, type NewEvent, type CommandResult, type Refused } from '@laurel/kernel';
import type { BeforeAfterFolds } from '../folding/corrected-fold.ts';
import { CorrectionRefusedError } from '../folding/correction-refused-error.ts';
import { userKey, type Document } from '../folding/document.ts';
import { concerns, recordedUserEventOf, type UserEvents } from '../folding/user-events.ts';
import { takeEvents } from '../folding/user-fold.ts';
import type { Batch } from './batch.ts';
import type { Chain } from './chain.ts';
import { assertFewRuns, correctInBatch } from './correct-in-batch.ts';
import type { EventAppender } from './event-appender.ts';
import type { CorrectUser, EngineTask } from './internal-command.ts';
import type { KeyLookup } from './key-lookup.ts';
import { refused, refusedBy } from './refused.ts';
import type { Settling } from './settling.ts';
import type { UserCommandHandler } from './user-command-handler.ts';

export interface CorrectionHandlerDependencies {
  readonly chain: Chain;
  readonly appender: EventAppender;
  readonly keys: KeyLookup;
  readonly settling: Pick<Settling, 'isDue'>;
  readonly users: Pick<UserCommandHandler, 'stateOf'>;
  readonly userEvents: UserEvents;
  readonly newEventId: (at: Instant) => string;
}

/** Handles corrections: folds all recorded events of the user, and replaces the user's state with the result. */
export class CorrectionHandler {
  readonly #dependencies: CorrectionHandlerDependencies;

  constructor(dependencies: CorrectionHandlerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Lets the folds take what was committed meanwhile. Works on a copy: folds that failed at an event cannot be used
   * again, but the task may be retried.
   */
  async takeCommitted(command: CorrectUser, upTo: number): Promise<void> {
    const folds = command.folds.clone();
    await takeEvents(folds, this.#dependencies.userEvents, command, upTo);
    command.folds = folds;
  }

  handle(batch: Batch, task: EngineTask, command: CorrectUser): CommandResult {
    const { appender, keys, settling, users } = this.#dependencies;
    const { account, correction } = command;
    const folds = command.folds.clone(appender.accountOf(batch, account).history ?? undefined);
    takeUncommitted(folds, command, batch);
    const { keyHash } = correction;
    const original = keyHash === null ? undefined : keys.originalWith(batch, keyHash);
    const known = users.stateOf(batch, command, task.receivedAt, original);
    const isDue = !known.areaStopped && settling.isDue(batch, command, task.receivedAt);
    const state = { ...known, owed: 0, isDue, hasConflict: folds.hasConflict };
    const decision = correctEvents(correction, state);
    switch (decision.kind) {
      case 'replay': {
        const configuration = appender.configurationOf(batch, account);
        return { kind: 'replayed', eventId: decision.eventId, configuration, sections: {}, pending: [] };
      }
      case 'refusal':
        return refusedBy(decision);
      case 'events': {
        const eventId = this.#dependencies.newEventId(task.receivedAt);
        const receipt = { eventId, receivedAt: task.receivedAt, wantsAnswer: false };
        appender.appendAll(batch, account, decision.events.filter(isSweep), receipt);
        if (batch.failures.size > 0) return refused('area_stopped', null);
        takeUncommitted(folds, command, batch);
        return this.#record(batch, task, command, folds);
      }
    }
  }

  #record(batch: Batch, task: EngineTask, command: CorrectUser, folds: BeforeAfterFolds): CommandResult {
    const { appender, chain, keys } = this.#dependencies;
    const { account, correction } = command;
    const changesFinalRuns = correction.finalRuns === 'change';
    const event = { occurredAt: task.receivedAt, event: correction };
    const record = appender.recordOf(batch, account, task, event);
    try {
      const corrected = folds.finish(record, batch.documentOf(userKey(command)) as Document);
      assertFewRuns(chain.boards, corrected, changesFinalRuns);
      appender.add(batch, record);
      correctInBatch(batch, chain, corrected, changesFinalRuns);
    } catch (error) {
      if (error instanceof CorrectionRefusedError) return refusedByFolds(error);
      throw error;
    }
    for (const [key, retracted] of folds.keys) {
      const used = keys.originalWith(batch, key);
      if (used !== undefined) batch.setOriginal(key, { ...used, retracted });
    }
    const date = localDate(task.receivedAt, 'UTC');
    if (correction.keyHash !== null) batch.setOriginal(correction.keyHash, { eventId: task.eventId, date });
    return appender.answer(batch, account, record);
  }
}

/** Lets the folds take the user's records that they have not taken yet. */
function takeUncommitted(
  folds: BeforeAfterFolds,
  { account, subject }: CorrectUser,
  { uncommitted, records }: Batch,
): void {
  for (const record of [...uncommitted.records, ...records])
    if (record.position > folds.position && record.account === account && concerns(record, subject))
      folds.apply(recordedUserEventOf(record, subject));
}

const isSweep = ({ event }: NewEvent): boolean => event.type === 'UsersSwept';

const refusedByFolds = ({ reason, of }: CorrectionRefusedError): Refused => ({
  ...refused(reason, of?.eventId ?? null),
  ...(of?.owed !== undefined && { owed: of.owed }),
});
