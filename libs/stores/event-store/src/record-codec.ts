import { formatAmount, parseAmount } from '@laurel/amounts';
import { formatInstant, parseInstant } from '@laurel/calendar';
import type {
  AccountEvent,
  ApiKeyCreated,
  Attribution,
  ConfigurationPublished,
  ErasedFrom,
  DomainEvent,
  DomainEventType,
  MetricEventRecorded,
  Subject,
  UserEvent,
  WebhookChanged,
} from '@laurel/kernel';
import { decodeCorrection, decodeGrant, encodeCorrection, encodeGrant } from './manual-events-codec.ts';
import {
  decodeDecision,
  decodeRefund,
  decodeSpend,
  encodeDecision,
  encodeRefund,
  encodeSpend,
} from './points-requests-codec.ts';
import { attributionOf, unlessEmpty, type Json, type StoredEventData } from './stored-event-data.ts';
import { currentVersionOf, isEventType, upcast } from './upcasters.ts';
import { decodeUser, encodeUser, EVENT_ATTRIBUTES, hashesOf, personalOfEvent } from './user-fields-codec.ts';

export const encodeEvent = (fact: DomainEvent): StoredEventData => ({
  type: fact.type,
  schemaVersion: currentVersionOf(fact.type),
  subject: null,
  metric: null,
  keyHash: null,
  value: null,
  zone: null,
  imported: false,
  data: null,
  personal: null,
  ...encodedFields(fact),
});

function encodedFields(fact: DomainEvent): Partial<StoredEventData> {
  switch (fact.type) {
    case 'MetricEventRecorded':
      return {
        ...encodeUser(fact),
        metric: fact.metric,
        keyHash: fact.keyHash,
        value: formatAmount(fact.value),
        imported: fact.imported,
        data: dataOfEvent(fact),
        personal: personalOfEvent(fact),
      };
    case 'UserIdentified':
      return { ...encodeUser(fact), data: hashesOf(fact.user) };
    case 'AchievementCompletedByCall':
      return { ...encodeUser(fact), data: { achievement: fact.achievement, ...hashesOf(fact.user) } };
    case 'GrantRecorded':
      return encodeGrant(fact);
    case 'SpendRequested':
      return encodeSpend(fact);
    case 'RefundRequested':
      return encodeRefund(fact);
    case 'CorrectionRecorded':
      return encodeCorrection(fact);
    case 'UserErased':
      return { subject: fact.subject, data: { boards: fact.boards, ...attributionOf(fact) } };
    case 'UsersSwept':
      return { data: { subjects: fact.subjects } };
    case 'RequestDecided':
      return encodeDecision(fact);
    case 'ImportOpened':
      return {
        data: unlessEmpty({
          ...(fact.unboundedAwards && { unboundedAwards: true }),
          ...(fact.outgoing && { outgoing: true }),
          ...attributionOf(fact),
        }),
      };
    case 'ImportClosed':
      return { data: { cause: fact.cause, ...attributionOf(fact) } };
    case 'ConfigurationPublished':
      return { data: encodePublication(fact) };
    case 'ApiKeyCreated':
      return { data: encodeKey(fact) };
    case 'ApiKeyRevoked':
      return { data: { id: fact.id, ...attributionOf(fact) } };
    case 'WebhookChanged':
      return { data: encodeWebhook(fact) };
    case 'LeaderboardRunStarted':
    case 'LeaderboardRunEnded':
      return { data: { board: fact.board, run: fact.run } };
    case 'BoostStarted':
    case 'BoostFinished':
      return { data: { system: fact.system, boost: fact.boost } };
  }
}

function dataOfEvent({ user, attributeHashes, receiptOnly }: MetricEventRecorded): Json | null {
  const hashes = hashesOf(user, attributeHashes);
  return receiptOnly ? { receiptOnly, ...hashes } : hashes;
}

/** @throws Error if the record is of a type or version that this release does not know. */
export function decodeEvent(stored: StoredEventData): DomainEvent {
  const { type } = stored;
  const data = upcast(type, stored.schemaVersion, stored.data ?? {});
  if (!isEventType(type)) throw new Error(`unknown type ${type}`);
  return stored.subject === null
    ? decodeAccountEvent(type, stored, data)
    : decodeUserEvent(type, stored.subject, stored, data);
}

/** This release cannot read a record of the log: it is damaged, or a later release wrote it. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';

  constructor(position: number, eventId: string, type: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the record of the log at position ${position} (${type} ${eventId}) cannot be read: ${reason}`, { cause });
  }
}

/** Like {@link decodeFact}. @throws UnreadableRecordError that names the record */
export function decodeEventAt(
  position: number,
  eventId: string,
  type: string,
  stored: () => StoredEventData,
): DomainEvent {
  try {
    return decodeEvent(stored());
  } catch (cause) {
    throw new UnreadableRecordError(position, eventId, type, cause);
  }
}

function decodeUserEvent(type: DomainEventType, subject: Subject, stored: StoredEventData, data: Json): UserEvent {
  if (type === 'GrantRecorded') return decodeGrant(subject, stored, data);
  if (type === 'SpendRequested') return decodeSpend(subject, stored, data);
  if (type === 'RefundRequested') return decodeRefund(subject, stored, data);
  if (type === 'CorrectionRecorded') return decodeCorrection(subject, stored, data);
  if (type === 'UserErased')
    return { type, subject, boards: erasedFrom(data['boards']), ...attributionOf(data as Attribution) };
  const { [EVENT_ATTRIBUTES]: sealed, ...personal } = stored.personal ?? {};
  const user = decodeUser({ zone: stored.zone, personal, data });
  const eventHashes = data['eventHashes'];
  switch (type) {
    case 'MetricEventRecorded':
      return {
        type,
        subject,
        metric: stored.metric ?? '',
        value: parseAmount(stored.value ?? ''),
        user,
        attributes: new Map((sealed ?? data['attributes'] ?? []) as [string, string][]),
        ...(eventHashes !== undefined && { attributeHashes: new Map(eventHashes as [string, string][]) }),
        keyHash: stored.keyHash,
        imported: stored.imported,
        ...(data['receiptOnly'] === true && { receiptOnly: true }),
      };
    case 'UserIdentified':
      return { type, subject, user };
    case 'AchievementCompletedByCall':
      return { type, subject, achievement: String(data['achievement']), user };
    default:
      throw new Error(`a ${type} does not belong to a user`);
  }
}

function decodeAccountEvent(type: DomainEventType, { keyHash }: StoredEventData, data: Json): AccountEvent {
  switch (type) {
    case 'UsersSwept':
      if (!Array.isArray(data['subjects'])) throw new Error('a UsersSwept record names no users');
      return { type, subjects: data['subjects'] as Subject[] };
    case 'RequestDecided':
      return decodeDecision(keyHash, data);
    case 'ImportOpened':
      return {
        type,
        ...(data['unboundedAwards'] === true && { unboundedAwards: true }),
        ...(data['outgoing'] === true && { outgoing: true }),
        ...attributionOf(data as Attribution),
      };
    case 'ImportClosed':
      return { type, cause: data['cause'] as 'finished' | 'idle', ...attributionOf(data as Attribution) };
    case 'ConfigurationPublished':
      return decodePublication(data);
    case 'ApiKeyCreated':
      return decodeKey(data);
    case 'ApiKeyRevoked':
      return { type, id: String(data['id']), ...attributionOf(data as Attribution) };
    case 'WebhookChanged':
      return decodeWebhook(data);
    case 'LeaderboardRunStarted':
    case 'LeaderboardRunEnded':
      return { type, board: String(data['board']), run: String(data['run']) };
    case 'BoostStarted':
    case 'BoostFinished':
      return { type, system: String(data['system']), boost: String(data['boost']) };
    default:
      throw new Error(`a ${type} belongs to a user, but the record names none`);
  }
}

function encodePublication({ version, document, attributeHashes, ...attribution }: ConfigurationPublished): Json {
  return { version, document, ...(attributeHashes && { attributeHashes }), ...attributionOf(attribution) };
}

function decodePublication(data: Json): ConfigurationPublished {
  const { version, document, attributeHashes } = data as unknown as ConfigurationPublished;
  return {
    type: 'ConfigurationPublished',
    version: Number(version),
    document,
    ...(attributeHashes && { attributeHashes }),
    ...attributionOf(data as Attribution),
  };
}

function encodeKey({ id, label, scopes, expiresAt, requestsPerMinute, ...attribution }: ApiKeyCreated): Json {
  const limits = { expiresAt: expiresAt === null ? null : formatInstant(expiresAt), requestsPerMinute };
  return { id, label, scopes, ...limits, ...attributionOf(attribution) };
}

function decodeKey(data: Json): ApiKeyCreated {
  const { id, label, scopes, requestsPerMinute } = data as unknown as ApiKeyCreated;
  const expiresAt = data['expiresAt'] === null ? null : parseInstant(String(data['expiresAt']));
  return {
    type: 'ApiKeyCreated',
    id,
    label,
    scopes,
    expiresAt,
    requestsPerMinute,
    ...attributionOf(data as Attribution),
  };
}

function encodeWebhook({ id, change, origin, types, failure, ...attribution }: WebhookChanged): Json {
  return { id, change, origin, types, ...(failure !== undefined && { failure }), ...attributionOf(attribution) };
}

function decodeWebhook(data: Json): WebhookChanged {
  const { id, change, origin, types, failure } = data as unknown as WebhookChanged;
  const content = { id, change, origin, types, ...(failure !== undefined && { failure }) };
  return { type: 'WebhookChanged', ...content, ...attributionOf(data as Attribution) };
}

/** @throws Error for what this release does not know. */
function erasedFrom(boards: unknown): ErasedFrom {
  if (boards === 'remove' || boards === 'anonymous') return boards;
  throw new Error(`an erasure from boards in the unknown way ${JSON.stringify(boards)}`);
}
