import type { CommandResult, UserRef } from '@laurel/kernel';
import { userKey } from '../folding/document.ts';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';
import { handleAccountCommand } from './account-command-handler.ts';
import type { Batch } from './batch.ts';
import { takeTurns } from './boards-turns.ts';
import type { Chain } from './chain.ts';
import type { CorrectionHandler } from './correction-handler.ts';
import { defer, isBehindDeferred, isLoaded } from './deferring.ts';
import type { EventAppender } from './event-appender.ts';
import { usersOf, type EngineTask } from './internal-command.ts';
import type { KeyLookup } from './key-lookup.ts';
import type { Quarantine } from './quarantine.ts';
import type { DecideOptions } from './queue-owner.ts';
import type { Settling } from './settling.ts';
import type { UserCommandHandler } from './user-command-handler.ts';

interface BatchExecutorDependencies {
  readonly chain: Chain;
  readonly quarantine: Quarantine;
  readonly keys: KeyLookup;
  readonly appender: EventAppender;
  readonly settling: Settling;
  readonly users: UserCommandHandler;
  readonly corrections: CorrectionHandler;
  /** See {@link import('./load-documents.ts').loadDocuments}. */
  readonly loadDocuments: (batch: Batch, users: readonly UserRef[]) => Promise<ReadonlySet<string>>;
}

/** Tasks executed before other work of the process (answers, new requests) gets its turn. */
const TASKS_PER_TURN = 64;

/** Executes commands one after the other on top of a batch: loads the data they need, decides, appends, applies. */
export class BatchExecutor {
  readonly #dependencies: BatchExecutorDependencies;

  constructor(dependencies: BatchExecutorDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the result that each task will get once the batch is committed. null means that the task must wait for the
   * next batch, because this one is full or cannot hold everything owed to the task's user. @throws if the store cannot
   * be read.
   */
  async execute(
    batch: Batch,
    tasks: readonly EngineTask[],
    { lookUpKeys, rows }: DecideOptions,
  ): Promise<readonly (CommandResult | null)[]> {
    const { chain, quarantine, keys, corrections } = this.#dependencies;
    const users = tasks.flatMap(({ command }) => usersOf(command)).filter((user) => !quarantine.holds(user));
    // Stored users that were not in memory.
    const returning = await this.#dependencies.loadDocuments(batch, users);
    const isSuspect = (user: UserRef) => lookUpKeys || returning.has(userKey(user)) || quarantine.holds(user);
    await keys.lookUp(batch, tasks, isSuspect);
    const { after } = batch.uncommitted;
    for (const { command } of tasks)
      if (command.type === 'CorrectUser') await corrections.takeCommitted(command, after);
    const outcomes: (CommandResult | null)[] = [];
    // Their states could be worked with, so they are quarantined no longer.
    const workedWith: UserRef[] = [];
    for (const [index, task] of tasks.entries()) {
      if (index > 0 && index % TASKS_PER_TURN === 0) await turnOfTheLoop();
      outcomes.push(this.#executeOrDefer(batch, task, rows, workedWith));
      if (batch.boardsWait.length > 0) await takeTurns(batch, chain.boards);
    }
    batch.users.date(chain.userAreas);
    if (quarantine.size > 0) for (const user of workedWith) quarantine.release(userKey(user));
    return outcomes;
  }

  #executeOrDefer(batch: Batch, task: EngineTask, rows: number, workedWith: UserRef[]): CommandResult | null {
    const { quarantine, users, settling } = this.#dependencies;
    const refusal = 'subject' in task.command ? quarantine.refusalOf(task.command) : null;
    if (refusal !== null) return users.replayWithoutState(batch, task) ?? refusal;
    const mayFollow = batch.weight <= rows && !isBehindDeferred(batch, task) && isLoaded(batch, task);
    if (!mayFollow || !settling.settleBefore(batch, task, rows)) {
      defer(batch, task);
      return null;
    }
    if ('subject' in task.command) workedWith.push(task.command);
    return this.#execute(batch, task, rows);
  }

  #execute(batch: Batch, task: EngineTask, rows: number): CommandResult {
    const { users, settling, corrections, appender } = this.#dependencies;
    const { command } = task;
    switch (command.type) {
      case 'CorrectUser':
        return corrections.handle(batch, task, command);
      case 'SweepUsers':
        return settling.sweep(batch, task, command, rows);
      case 'PublishConfiguration':
      case 'OpenImport':
      case 'CloseImport':
      case 'RecordAccountEvent':
        return handleAccountCommand(appender, batch, task, command);
      default:
        return users.handle(batch, task, command);
    }
  }
}
