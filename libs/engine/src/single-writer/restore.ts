import type { AreaName, ConfigurationHistory } from '@laurel/kernel';
import type { EventLog } from '@laurel/event-store';
import { publicationsIn, type CompileHistory } from '../folding/publications.ts';
import type { BatchStore, InboxMessage } from '../storage/batch-store.ts';
import { openingOf, type Account } from './account.ts';
import { Batch, type Failure } from './batch.ts';
import { commitOf } from './batch-cycle.ts';
import { catchUp } from './catch-up.ts';
import type { Chain } from './chain.ts';
import { failuresIn, refuseStaleStates } from './checkpoints.ts';
import type { Committed } from './committed.ts';

/** Event types that define the state of an account. Sweeps, of which there may be very many, do not affect it. */
const RESTORED_TYPES = [
  'ConfigurationPublished',
  'ImportOpened',
  'ImportClosed',
  'ApiKeyCreated',
  'ApiKeyRevoked',
  'WebhookChanged',
  'LeaderboardRunStarted',
  'LeaderboardRunEnded',
  'BoostStarted',
  'BoostFinished',
] as const;

interface RestoreDependencies {
  readonly store: BatchStore;
  readonly log: Pick<EventLog, 'readAccountEvents'>;
  readonly chain: Chain;
  readonly committed: Committed;
  readonly compileHistory: CompileHistory;
  readonly historyOf: (account: string) => ConfigurationHistory;
}

/**
 * Restores the state from the store, and lets stopped areas try again.
 * @throws StaleReadModelsError if the stored state of an area belongs to another log or another release
 */
export async function restore(dependencies: RestoreDependencies, accounts: readonly string[]): Promise<void> {
  const { store, chain, committed, historyOf } = dependencies;
  const { head, recordedAt, checkpoints } = await store.readCheckpoints();
  committed.restore(head, failuresIn(checkpoints), recordedAt);
  refuseStaleStates(chain, head, checkpoints);
  for (const name of accounts) {
    const account = await restoredAccount(dependencies, name, head);
    if (account !== null) committed.accounts.set(name, account);
  }
  const openBatch = (failures: ReadonlyMap<AreaName, Failure>) =>
    new Batch({ head, recordedAt, failures }, null, chain.boards.openLayer(null));
  const commit = async (batch: Batch, applied: readonly InboxMessage[]) => {
    await store.commitBatch(commitOf(batch, chain, applied));
    committed.publish(batch);
  };
  const remaining = await catchUp({ store, chain, committed, historyOf, openBatch, commit }, committed.failures);
  committed.restore(head, remaining, recordedAt);
}

/** null if no configuration was published for the account. */
async function restoredAccount(
  { log, compileHistory }: RestoreDependencies,
  name: string,
  head: number,
): Promise<Account | null> {
  const facts = await log.readAccountEvents(name, RESTORED_TYPES);
  const publications = publicationsIn(facts);
  if (publications.length === 0) return null;
  const history = compileHistory(name, publications);
  const bracket = facts.findLast(({ fact }) => fact.type === 'ImportOpened' || fact.type === 'ImportClosed');
  const openImport = bracket?.fact.type === 'ImportOpened' ? openingOf({ ...bracket, fact: bracket.fact }) : null;
  return { name, publications, history, openImport, holdsEvents: head > facts.length };
}
