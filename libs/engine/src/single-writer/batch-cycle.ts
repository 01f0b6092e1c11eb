import { StoreUnavailableError, type AreaName, type CommandResult, type Refused, type UserRef } from '@laurel/kernel';
import { DamagedStateError } from '../folding/damaged-state.ts';
import { LoadError } from '../folding/with-runs.ts';
import type { BatchStore, CommitBatch, InboxMessage } from '../storage/batch-store.ts';
import { Batch } from './batch.ts';
import type { BatchExecutor } from './batch-executor.ts';
import type { Chain } from './chain.ts';
import { checkpointsAt } from './checkpoints.ts';
import type { Committed } from './committed.ts';
import { usersOf, type EngineTask } from './internal-command.ts';
import type { Quarantine } from './quarantine.ts';
import type { RecentEvents } from './recent-events.ts';
import { refused } from './refused.ts';
import type { DecideOptions, QueueOwner, QueueState } from './queue-owner.ts';
import { storedChanges } from './stored-changes.ts';

interface BatchCycleDependencies {
  readonly store: Pick<BatchStore, 'commitBatch' | 'isCommitted'>;
  readonly chain: Chain;
  readonly committed: Committed;
  readonly quarantine: Quarantine;
  readonly executor: BatchExecutor;
  readonly recentEvents?: Pick<RecentEvents, 'add'>;
  readonly onErased?: (user: UserRef) => void;
  readonly onCommitted?: (commands: number, ms: number) => void;
  readonly onQueueState: (state: QueueState, error: unknown) => void;
}

/** Takes a batch from its opening until everybody sees its changes: implements the owner of the queue. */
export class BatchCycle implements QueueOwner<EngineTask> {
  readonly #dependencies: BatchCycleDependencies;

  constructor(dependencies: BatchCycleDependencies) {
    this.#dependencies = dependencies;
  }

  openBatch(below: Batch | null): Batch {
    const boards = this.#dependencies.chain.boards.openLayer(below?.boards ?? null);
    return new Batch(below ?? this.#dependencies.committed, below, boards);
  }

  decide(
    batch: Batch,
    tasks: readonly EngineTask[],
    options: DecideOptions,
  ): Promise<readonly (CommandResult | null)[]> {
    return this.#dependencies.executor.execute(batch, tasks, options);
  }

  commit(batch: Batch): Promise<void> {
    return this.#dependencies.store.commitBatch(commitOf(batch, this.#dependencies.chain, []));
  }

  isCommitted(batch: Batch): Promise<boolean> {
    return this.#dependencies.store.isCommitted(commitOf(batch, this.#dependencies.chain, []));
  }

  publish(batch: Batch): void {
    const { committed, recentEvents, onErased } = this.#dependencies;
    committed.publish(batch);
    recentEvents?.add(batch);
    for (const { account, fact } of batch.records)
      if (fact.type === 'UserErased') onErased?.({ account, subject: fact.subject });
  }

  discard(batch: Batch): void {
    batch.boards.discard();
  }

  onCommitted(commands: number, ms: number): void {
    this.#dependencies.onCommitted?.(commands, ms);
  }

  quarantines(error: unknown): boolean {
    if (!(error instanceof DamagedStateError)) return false;
    this.#dependencies.quarantine.hold(error.user, error.area, error);
    return true;
  }

  /** An unreadable database row does not belong to one area. Only the task that reads it shows whose row it is. */
  refusalOf({ command, eventId }: EngineTask, error: unknown): Refused {
    const cause = error instanceof LoadError ? error.cause : error;
    if (cause instanceof StoreUnavailableError) return refused('unavailable', null);
    const [user, ...others] = usersOf(command);
    if (user === undefined || others.length > 0) return refused('rejected', eventId);
    const { quarantine } = this.#dependencies;
    quarantine.hold(user, damagedArea(error), error);
    return quarantine.refusalOf(user) ?? refused('rejected', eventId);
  }

  onStateChange(state: QueueState, error: unknown): void {
    this.#dependencies.onQueueState(state, error);
  }
}

/** The batch in the form that the store takes. @param applied parked messages that the batch has applied */
export function commitOf(batch: Batch, chain: Chain, applied: readonly InboxMessage[]): CommitBatch {
  const { documents, rows, removed } = storedChanges(batch, chain);
  return {
    after: batch.after,
    records: batch.records,
    documents,
    rows,
    removed,
    checkpoints: checkpointsAt(chain, batch.head, batch.failures),
    inbox: batch.inbox,
    applied,
  };
}

/** The area with the damaged state, or null if the whole row is damaged. */
function damagedArea(error: unknown): AreaName | null {
  if (error instanceof DamagedStateError) return error.area;
  return error instanceof LoadError ? 'leaderboards' : null;
}
