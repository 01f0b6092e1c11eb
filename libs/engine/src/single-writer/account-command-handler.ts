import type { Instant } from '@laurel/calendar';
import { closeImport, openImport, publishConfiguration, type NewEvent, type CommandResult } from '@laurel/kernel';
import type { Account } from './account.ts';
import type { Batch } from './batch.ts';
import type { EventAppender } from './event-appender.ts';
import type { AccountCommand, EngineTask } from './internal-command.ts';

/** Handles a command that concerns no user. The result's position is 0 if nothing had to be recorded. */
export function handleAccountCommand(
  appender: EventAppender,
  batch: Batch,
  task: EngineTask,
  command: AccountCommand,
): CommandResult {
  const { account } = command;
  const events = eventsOf(command, appender.accountOf(batch, account), task.receivedAt);
  const receipt = { eventId: task.eventId, receivedAt: task.receivedAt, wantsAnswer: false };
  return appender.appendAll(batch, account, events, receipt);
}

function eventsOf(command: AccountCommand, account: Account, now: Instant): readonly NewEvent[] {
  const openedWith = account.openImport?.options ?? null;
  switch (command.type) {
    case 'PublishConfiguration': {
      const latestVersion = account.publications.at(-1)?.version ?? 0;
      return [publishConfiguration(command, { now, latestVersion, holdsEvents: account.holdsEvents })];
    }
    case 'OpenImport':
      return openImport(command, { now, openImport: openedWith }).events;
    case 'CloseImport':
      return closeImport(command, { now, isImporting: openedWith !== null }).events;
    case 'RecordAccountEvent':
      return [{ occurredAt: command.at, event: command.event }];
  }
}
