import type { AreaName, ConfigurationHistory } from '@laurel/kernel';
import type { BatchStore, InboxMessage } from '../storage/batch-store.ts';
import { type Batch, type Failure, positionOf } from './batch.ts';
import { takeTurns } from './boards-turns.ts';
import type { Chain } from './chain.ts';
import type { Committed } from './committed.ts';
import type { UserRef } from '../folding/document.ts';
import { loadDocuments } from './load-documents.ts';
import { decodeMessage } from '../folding/message-codec.ts';

export interface CatchUpDependencies {
  readonly store: BatchStore;
  readonly chain: Chain;
  readonly committed: Committed;
  readonly historyOf: (account: string) => ConfigurationHistory;
  readonly openBatch: (failures: ReadonlyMap<AreaName, Failure>) => Batch;
  readonly commit: (batch: Batch, applied: readonly InboxMessage[]) => Promise<void>;
}

const MESSAGES_AT_A_TIME = 200;

/**
 * Lets stopped areas apply the messages in their inboxes, in the order of the areas, so that effects reach the later
 * areas in order. An area that fails again stays stopped, at the record where it fails now.
 */
export async function catchUp(
  dependencies: CatchUpDependencies,
  failures: ReadonlyMap<AreaName, Failure>,
): Promise<ReadonlyMap<AreaName, Failure>> {
  let remaining = failures;
  for (const area of dependencies.chain.areaNames.filter((name) => failures.has(name)))
    remaining = await catchUpArea(dependencies, area, remaining);
  return remaining;
}

async function catchUpArea(
  dependencies: CatchUpDependencies,
  area: AreaName,
  failures: ReadonlyMap<AreaName, Failure>,
): Promise<ReadonlyMap<AreaName, Failure>> {
  let present = failures;
  for (;;) {
    const messages = await dependencies.store.readInbox(area, MESSAGES_AT_A_TIME);
    const batch = dependencies.openBatch(new Map([...present].filter(([name]) => name !== area)));
    await loadDocuments(batch, messages.map(userOf), dependencies);
    const applied = await applyAll(dependencies, batch, area, messages);
    batch.users.date(dependencies.chain.userAreas);
    const mayHaveMore = messages.length === MESSAGES_AT_A_TIME && !batch.failures.has(area);
    // The area stays marked as stopped until its inbox is empty: if the process crashes here, the next start must go
    // on.
    if (mayHaveMore) batch.stop(area, stoppedBehind(applied, present.get(area)));
    await dependencies.commit(batch, applied);
    present = batch.failures;
    if (!mayHaveMore) return present;
  }
}

function stoppedBehind(applied: readonly InboxMessage[], former: Failure | undefined): Failure {
  const last = applied.at(-1);
  return { position: last ? positionOf(last) : 0, reason: former?.reason ?? 'catching up' };
}

/** Applies messages until the area fails. The failing message stays in the inbox. */
async function applyAll(
  { chain, historyOf }: CatchUpDependencies,
  batch: Batch,
  area: AreaName,
  messages: readonly InboxMessage[],
): Promise<readonly InboxMessage[]> {
  const applied: InboxMessage[] = [];
  for (const waiting of messages) {
    const message = decodeMessage(waiting.message);
    const { account, configurationVersion } = message.record;
    const configuration = historyOf(account).at(configurationVersion);
    chain.resume(batch, message, configuration, chain.areaNames.indexOf(area));
    await takeTurns(batch, chain.boards);
    if (batch.failures.has(area)) {
      batch.inbox.splice(0, batch.inbox.length, ...batch.inbox.filter((entry) => entry.area !== area));
      break;
    }
    applied.push(waiting);
  }
  return applied;
}

const userOf = ({ message }: InboxMessage): UserRef => {
  const { account, fact } = decodeMessage(message).record;
  return { account, subject: fact.subject };
};
