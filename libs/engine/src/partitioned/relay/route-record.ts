import {
  newMessage,
  type RecordedEvent,
  type MetricEventRecorded,
  type UserEvent,
  type UserSwept,
  userEventsOf,
} from '@laurel/kernel';
import type { Streamed } from '@laurel/ports';
import { partitionOf } from '@laurel/event-stream';

/** The message for a record in the first topic, and its partition. */
export interface RoutedRecord {
  readonly partition: number;
  readonly key: string;
  readonly streamed: Streamed;
}

/**
 * The messages for a record. A user's record goes to the user's partition; a grant goes without its reason, which may
 * name the user. A sweep goes to the partition of each user whom it names. A published configuration goes to all
 * partitions, in the order of the log. Imports, API keys, webhooks and runs
 * concern no service, and services read from the log how a request was decided.
 * @throws Error for a correction: no process of this topology records one
 */
export function routeRecord(record: RecordedEvent, partitions: number): readonly RoutedRecord[] {
  const { account, fact } = record;
  switch (fact.type) {
    case 'MetricEventRecorded':
      return [routeUserEvent({ ...record, fact: withoutAttributes(fact) }, partitions)];
    case 'UserIdentified':
    case 'AchievementCompletedByCall':
      return [routeUserEvent({ ...record, fact }, partitions)];
    case 'SpendRequested': {
      const { reason: _, reference: __, ...told } = fact;
      return [routeUserEvent({ ...record, fact: told }, partitions)];
    }
    case 'GrantRecorded':
    case 'RefundRequested':
    case 'UserErased': {
      const { reason: _, ...told } = fact;
      return [routeUserEvent({ ...record, fact: told }, partitions)];
    }
    case 'UsersSwept':
      return userEventsOf(record).map((swept) => routeUserEvent(swept, partitions));
    case 'ConfigurationPublished': {
      const { version } = fact;
      const streamed = { kind: 'configuration', account, version, publishedAt: record.occurredAt } as const;
      return Array.from({ length: partitions }, (_, partition) => ({ partition, key: account, streamed }));
    }
    case 'CorrectionRecorded':
      throw new Error(`not_in_this_topology: the services cannot apply the correction at position ${record.position}`);
    case 'RequestDecided':
    case 'ImportOpened':
    case 'ImportClosed':
    case 'ApiKeyCreated':
    case 'ApiKeyRevoked':
    case 'WebhookChanged':
    case 'LeaderboardRunStarted':
    case 'LeaderboardRunEnded':
    case 'BoostStarted':
    case 'BoostFinished':
      return [];
  }
}

function routeUserEvent(record: RecordedEvent<UserEvent | UserSwept>, partitions: number): RoutedRecord {
  const { subject } = record.fact;
  return {
    partition: partitionOf(record.account, subject, partitions),
    key: String(subject),
    streamed: { kind: 'record', message: newMessage(record), trail: [] },
  };
}

/**
 * Attributes are removed: no area reads them, and callers may write personal data in them, which must not be in a topic
 * in clear text.
 */
const withoutAttributes = (fact: MetricEventRecorded): MetricEventRecorded =>
  fact.attributes.size === 0 ? fact : { ...fact, attributes: NO_ATTRIBUTES };

const NO_ATTRIBUTES: MetricEventRecorded['attributes'] = new Map();
