import { formatAmount, parseAmount } from '@laurel/amounts';
import { formatInstant, parseInstant } from '@laurel/calendar';
import type { AccountFact, ApiKeyCreated, Attribution, Fact, FactType, UserFact, UserFields } from '@laurel/contracts';

/**
 * Facts as they are stored: a schema version and plain JSON. A fact whose stored form changes gets a new version here and
 * an upcaster from the one before; stored records are never rewritten, and every version ever written stays readable.
 */
export interface StoredFact {
  readonly type: string;
  readonly schemaVersion: number;
  readonly userId: string | null;
  readonly metric: string | null;
  readonly idempotencyKey: string | null;
  readonly data: Json;
}

type Json = Readonly<Record<string, unknown>>;

/** `upcasters[n]` lifts the data of version n + 1 to version n + 2; the current version is their number plus one. */
const UPCASTERS: Readonly<Record<FactType, readonly ((data: Json) => Json)[]>> = {
  MetricEventRecorded: [],
  UserIdentified: [],
  AchievementCompletedByCall: [],
  UsersSwept: [],
  ImportOpened: [],
  ImportClosed: [({ reason: cause }) => ({ cause })],
  ConfigurationPublished: [],
  ApiKeyCreated: [],
  ApiKeyRevoked: [],
};

const isFactType = (type: string): type is FactType => Object.hasOwn(UPCASTERS, type);

/** Lifts stored data to the current version. @throws Error for a type or version that this release does not know. */
export function upcast(
  type: string,
  schemaVersion: number,
  data: Json,
  upcasters: Readonly<Record<string, readonly ((data: Json) => Json)[]>> = UPCASTERS,
): Json {
  const steps = Object.hasOwn(upcasters, type) ? upcasters[type] : undefined;
  if (!steps) throw new Error(`the log holds a record of the unknown type ${JSON.stringify(type)}`);
  if (schemaVersion < 1 || schemaVersion > steps.length + 1)
    throw new Error(
      `the log holds a ${type} of schema version ${schemaVersion}; this release reads 1 to ${steps.length + 1}`,
    );
  return steps.slice(schemaVersion - 1).reduce((value, step) => step(value), data);
}

export function encodeFact(fact: Fact): StoredFact {
  const stored = {
    type: fact.type,
    schemaVersion: UPCASTERS[fact.type].length + 1,
    userId: null,
    metric: null,
    idempotencyKey: null,
  };
  switch (fact.type) {
    case 'MetricEventRecorded':
      return {
        ...stored,
        userId: fact.userId,
        metric: fact.metric,
        idempotencyKey: fact.idempotencyKey,
        data: {
          value: formatAmount(fact.value),
          ...(fact.attributes.size > 0 && { attributes: [...fact.attributes] }),
          ...(fact.imported && { imported: true }),
          ...(fact.receiptOnly && { receiptOnly: true }),
          ...encodeUser(fact.user),
        },
      };
    case 'UserIdentified':
      return { ...stored, userId: fact.userId, data: encodeUser(fact.user) };
    case 'AchievementCompletedByCall':
      return { ...stored, userId: fact.userId, data: { achievement: fact.achievement, ...encodeUser(fact.user) } };
    case 'UsersSwept':
      return { ...stored, data: { userIds: fact.userIds } };
    case 'ImportOpened':
      return { ...stored, data: { ...(fact.unboundedAwards && { unboundedAwards: true }), ...attributionOf(fact) } };
    case 'ImportClosed':
      return { ...stored, data: { cause: fact.cause, ...attributionOf(fact) } };
    case 'ConfigurationPublished':
      return { ...stored, data: { version: fact.version, document: fact.document, ...attributionOf(fact) } };
    case 'ApiKeyCreated':
      return { ...stored, data: encodeKey(fact) };
    case 'ApiKeyRevoked':
      return { ...stored, data: { id: fact.id, ...attributionOf(fact) } };
  }
}

/** @throws Error if the record is of a type or version that this release does not know. */
export function decodeFact(stored: StoredFact): Fact {
  const { type } = stored;
  const data = upcast(type, stored.schemaVersion, stored.data);
  if (!isFactType(type)) throw new Error(`unknown type ${type}`);
  return stored.userId === null ? decodeAccountFact(type, data) : decodeUserFact(type, stored.userId, stored, data);
}

/** A record of the log that this release cannot read: damaged, or written by a later one. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';

  constructor(position: number, eventId: string, type: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the record of the log at position ${position} (${type} ${eventId}) cannot be read: ${reason}`, { cause });
  }
}

/** As {@link decodeFact}. @throws UnreadableRecordError that names the record. */
export function decodeFactAt(position: number, eventId: string, stored: StoredFact): Fact {
  try {
    return decodeFact(stored);
  } catch (cause) {
    throw new UnreadableRecordError(position, eventId, stored.type, cause);
  }
}

function decodeUserFact(type: FactType, userId: string, stored: StoredFact, data: Json): UserFact {
  const user = decodeUser(data['user']);
  switch (type) {
    case 'MetricEventRecorded':
      return {
        type,
        userId,
        metric: stored.metric ?? '',
        value: parseAmount(String(data['value'])),
        user,
        attributes: new Map((data['attributes'] ?? []) as [string, string][]),
        idempotencyKey: stored.idempotencyKey,
        imported: data['imported'] === true,
        ...(data['receiptOnly'] === true && { receiptOnly: true }),
      };
    case 'UserIdentified':
      return { type, userId, user };
    case 'AchievementCompletedByCall':
      return { type, userId, achievement: String(data['achievement']), user };
    default:
      throw new Error(`a ${type} does not belong to a user`);
  }
}

function decodeAccountFact(type: FactType, data: Json): AccountFact {
  switch (type) {
    case 'UsersSwept':
      if (!Array.isArray(data['userIds'])) throw new Error('it names no users');
      return { type, userIds: data['userIds'] as string[] };
    case 'ImportOpened':
      return {
        type,
        ...(data['unboundedAwards'] === true && { unboundedAwards: true }),
        ...attributionOf(data as Attribution),
      };
    case 'ImportClosed':
      return { type, cause: data['cause'] as 'finished' | 'idle', ...attributionOf(data as Attribution) };
    case 'ConfigurationPublished':
      return {
        type,
        version: Number(data['version']),
        document: data['document'],
        ...attributionOf(data as Attribution),
      };
    case 'ApiKeyCreated':
      return decodeKey(data);
    case 'ApiKeyRevoked':
      return { type, id: String(data['id']), ...attributionOf(data as Attribution) };
    default:
      throw new Error(`a ${type} belongs to a user, but the record names none`);
  }
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

const attributionOf = ({ by, reason }: Attribution): Attribution => ({
  ...(by !== undefined && { by }),
  ...(reason !== undefined && { reason }),
});

/** Attributes as pairs: `__proto__` is a legal attribute, and jsonb would reorder the keys of an object. */
function encodeUser(user: UserFields): Json {
  const { attributes, ...fields } = user;
  if (attributes === undefined && Object.keys(fields).length === 0) return {};
  return { user: { ...fields, ...(attributes && { attributes: [...attributes] }) } };
}

function decodeUser(json: unknown): UserFields {
  if (json === undefined) return {};
  const { attributes, ...fields } = json as Omit<UserFields, 'attributes'> & { attributes?: [string, string | null][] };
  return { ...fields, ...(attributes && { attributes: new Map(attributes) }) };
}
