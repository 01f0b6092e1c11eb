import { newMessage, type ChainMessage, type Subject } from '@laurel/kernel';
import type { PublishedConfiguration, Streamed } from '@laurel/ports';
import type { AppliedRecord, Routed, RoutedEffect, Routes } from './routes.ts';

export const PARTITIONS = 2;
export const TOPICS = ['t0', 't1', 't2'] as const;
const ACCOUNT = 'default';

/** An entry of the log: a record of a user, or a published configuration. */
export type Entry = { readonly subject: Subject } | 'publication';

/** Routes an entry. The log begins with a publication; each record has the version published last before it. */
export function routeEntry(entry: Entry, index: number, log: readonly Entry[]): readonly Routed[] {
  const version = log.slice(0, index + 1).filter((one) => one === 'publication').length;
  const position = index + 1;
  if (entry === 'publication') {
    const streamed: Streamed = { kind: 'configuration', account: ACCOUNT, version, publishedAt: position };
    return Array.from({ length: PARTITIONS }, (_, partition) => ({ partition, key: '', streamed }));
  }
  const { subject } = entry;
  const record: ChainMessage['record'] = {
    eventId: `event-${position}`,
    account: ACCOUNT,
    configurationVersion: version,
    occurredAt: position,
    recordedAt: position,
    position,
    fact: { type: 'UserSwept', subject, place: 0 },
  };
  const streamed: Streamed = { kind: 'record', trail: [], message: newMessage(record) };
  return [{ partition: subject % PARTITIONS, key: String(subject), streamed }];
}

/** The published configurations of a log. */
export const publishedIn = (log: readonly Entry[]): readonly PublishedConfiguration[] =>
  log
    .flatMap((entry, index) => (entry === 'publication' ? [index + 1] : []))
    .map((publishedAt, index) => ({ account: ACCOUNT, version: index + 1, document: null, publishedAt }));

/**
 * Routes like those of the real services: first to the same partition, then to some of all partitions, then to none.
 */
export function routesOf(service: number): Routes {
  const topic = TOPICS[service + 1] ?? null;
  const all = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  const targets = ({ message, partition }: AppliedRecord): readonly number[] =>
    topic === null ? [] : service === 0 ? [partition] : all.filter((target) => (message.record.position >> target) & 1);
  return {
    topic,
    partitions: PARTITIONS,
    configurationTo: (partition) => (service === 0 ? [partition] : []),
    record: (applied) =>
      targets(applied).map((partition) => ({
        partition,
        key: String(applied.message.record.fact.subject),
        streamed: { kind: 'record', message: applied.message, trail: applied.trail },
      })),
    effects: (applied): readonly RoutedEffect[] => {
      if (!('message' in applied)) throw new Error('no service here has boards');
      const { message, trail: offsets, partition } = applied;
      const { eventId } = message.record;
      return [{ partition, key: '', effect: { kind: 'trunk', eventId, message, trail: offsets, boards: [] } }];
    },
  };
}
