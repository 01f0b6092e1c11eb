import type { Instant, LocalDate } from '@laurel/calendar';
import type { UserRef } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { UsedKey } from '@laurel/event-store';
import type { CompileHistory } from '../folding/publications.ts';
import type { UserEvents } from '../folding/user-events.ts';
import type { BatchStore } from '../storage/batch-store.ts';
import { BatchExecutor } from './batch-executor.ts';
import type { Chain } from './chain.ts';
import type { Committed } from './committed.ts';
import { CorrectionHandler } from './correction-handler.ts';
import { EventAppender } from './event-appender.ts';
import { KeyLookup } from './key-lookup.ts';
import { loadDocuments } from './load-documents.ts';
import type { Quarantine } from './quarantine.ts';
import { Settling } from './settling.ts';
import { UserCommandHandler } from './user-command-handler.ts';

interface ExecutorDependencies {
  readonly store: BatchStore;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly committed: Committed;
  readonly quarantine: Quarantine;
  readonly userEvents: UserEvents;
  readonly newEventId: (at: Instant) => string;
  readonly originalDates: (keys: readonly UsedKey[]) => Promise<readonly LocalDate[]>;
  readonly compileHistory: CompileHistory;
  readonly onErased?: (user: UserRef) => void;
}

/** Assembles the executor of batches and its handlers. */
export function openExecutor(dependencies: ExecutorDependencies): BatchExecutor {
  const { chain, quarantine } = dependencies;
  const keys = new KeyLookup(dependencies);
  const appender = new EventAppender(dependencies);
  const settling = new Settling({ ...dependencies, appender, keys });
  const users = new UserCommandHandler({ ...dependencies, appender, keys });
  const corrections = new CorrectionHandler({ ...dependencies, appender, keys, settling, users });
  return new BatchExecutor({
    chain,
    quarantine,
    keys,
    appender,
    settling,
    users,
    corrections,
    loadDocuments: (batch, wanted) => loadDocuments(batch, wanted, dependencies),
  });
}
