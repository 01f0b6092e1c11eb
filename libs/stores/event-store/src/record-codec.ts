import { formatAmount, parseAmount } from '@laurel/amounts';
import { formatInstant, parseInstant, type Instant } from '@laurel/calendar';
import type {
  AccountFact,
  ApiKeyCreated,
  Attribution,
  CorrectionRecorded,
  EventCorrection,
  ErasedFrom,
  Fact,
  FactType,
  Grant,
  GrantRecorded,
  KeyHash,
  MetricEventRecorded,
  Subject,
  UserFact,
  UserFields,
  WebhookChanged,
} from '@laurel/kernel';

/**
 * Facts as they are stored: a schema version and plain JSON. A fact whose stored form changes gets a new version here and
 * an upcaster from the one before; stored records are never rewritten, and every version ever written stays readable.
 */
export interface StoredFact {
  readonly type: string;
  readonly schemaVersion: number;
  readonly subject: Subject | null;
  readonly metric: string | null;
  readonly keyHash: KeyHash | null;
  /** A decimal number. */
  readonly value: string | null;
  /** The user's clock from now on; empty: none any more; null: as it was. */
  readonly zone: string | null;
  /** True if the caller brought the instant itself (an import). */
  readonly imported: boolean;
  /** What else the rules need; null: nothing. */
  readonly data: Json | null;
  /** What names the user or was said of them, kept apart so that it can be sealed; null: nothing. */
  readonly personal: Json | null;
}

export type Json = Readonly<Record<string, unknown>>;

/**
 * Where 1 is not readable any more: it named users by their ids, with keys and profiles as clear text. `laurel upgrade` has moved every
 * record of it.
 */
const FIRST_VERSIONS: Readonly<Record<string, number>> = {
  MetricEventRecorded: 2,
  UserIdentified: 2,
  AchievementCompletedByCall: 2,
  UsersSwept: 2,
};

const firstVersionOf = (type: string): number => FIRST_VERSIONS[type] ?? 1;

/** The first lifts the data of the type's first version to the next one; the current version is the first plus their number. */
const UPCASTERS: Readonly<Record<FactType, readonly ((data: Json) => Json)[]>> = {
  // Version 2 had the attributes of the event in clear text; the decoder finds them in either place.
  MetricEventRecorded: [(data) => data],
  UserIdentified: [],
  AchievementCompletedByCall: [],
  GrantRecorded: [],
  CorrectionRecorded: [],
  UserErased: [],
  UsersSwept: [],
  ImportOpened: [],
  ImportClosed: [({ reason: cause }) => ({ cause })],
  ConfigurationPublished: [],
  ApiKeyCreated: [],
  ApiKeyRevoked: [],
  WebhookChanged: [],
  LeaderboardRunStarted: [],
  LeaderboardRunEnded: [],
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
  const first = firstVersionOf(type);
  const current = first + steps.length;
  if (schemaVersion < first || schemaVersion > current)
    throw new Error(
      `the log holds a ${type} of schema version ${schemaVersion}; this release reads ${first} to ${current}`,
    );
  return steps.slice(schemaVersion - first).reduce((value, step) => step(value), data);
}

export function encodeFact(fact: Fact): StoredFact {
  const stored = {
    type: fact.type,
    schemaVersion: firstVersionOf(fact.type) + UPCASTERS[fact.type].length,
    subject: null,
    metric: null,
    keyHash: null,
    value: null,
    zone: null,
    imported: false,
    data: null,
    personal: null,
  };
  switch (fact.type) {
    case 'MetricEventRecorded':
      return {
        ...stored,
        ...encodeUser(fact),
        metric: fact.metric,
        keyHash: fact.keyHash,
        value: formatAmount(fact.value),
        imported: fact.imported,
        data: unlessEmpty({
          ...(fact.receiptOnly && { receiptOnly: true }),
        }),
        personal: personalOfEvent(fact),
      };
    case 'UserIdentified':
      return { ...stored, ...encodeUser(fact) };
    case 'AchievementCompletedByCall':
      return { ...stored, ...encodeUser(fact), data: { achievement: fact.achievement } };
    case 'GrantRecorded':
      return { ...stored, ...encodeGrant(fact) };
    case 'CorrectionRecorded':
      return { ...stored, ...encodeCorrection(fact) };
    case 'UserErased':
      return { ...stored, subject: fact.subject, data: { boards: fact.boards, ...attributionOf(fact) } };
    case 'UsersSwept':
      return { ...stored, data: { subjects: fact.subjects } };
    case 'ImportOpened':
      return {
        ...stored,
        data: unlessEmpty({
          ...(fact.unboundedAwards && { unboundedAwards: true }),
          ...(fact.outgoing && { outgoing: true }),
          ...attributionOf(fact),
        }),
      };
    case 'ImportClosed':
      return { ...stored, data: { cause: fact.cause, ...attributionOf(fact) } };
    case 'ConfigurationPublished':
      return { ...stored, data: { version: fact.version, document: fact.document, ...attributionOf(fact) } };
    case 'ApiKeyCreated':
      return { ...stored, data: encodeKey(fact) };
    case 'ApiKeyRevoked':
      return { ...stored, data: { id: fact.id, ...attributionOf(fact) } };
    case 'WebhookChanged':
      return { ...stored, data: encodeWebhook(fact) };
    case 'LeaderboardRunStarted':
    case 'LeaderboardRunEnded':
      return { ...stored, data: { board: fact.board, run: fact.run } };
  }
}

/** @throws Error if the record is of a type or version that this release does not know. */
export function decodeFact(stored: StoredFact): Fact {
  const { type } = stored;
  const data = upcast(type, stored.schemaVersion, stored.data ?? {});
  if (!isFactType(type)) throw new Error(`unknown type ${type}`);
  return stored.subject === null ? decodeAccountFact(type, data) : decodeUserFact(type, stored.subject, stored, data);
}

/** A record of the log that this release cannot read: damaged, or written by a later one. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';

  constructor(position: number, eventId: string, type: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the record of the log at position ${position} (${type} ${eventId}) cannot be read: ${reason}`, { cause });
  }
}

/** As {@link decodeFact}, of what is stored. @throws UnreadableRecordError that names the record. */
export function decodeFactAt(position: number, eventId: string, type: string, stored: () => StoredFact): Fact {
  try {
    return decodeFact(stored());
  } catch (cause) {
    throw new UnreadableRecordError(position, eventId, type, cause);
  }
}

function decodeUserFact(type: FactType, subject: Subject, stored: StoredFact, data: Json): UserFact {
  if (type === 'GrantRecorded') return decodeGrant(subject, stored, data);
  if (type === 'CorrectionRecorded') return decodeCorrection(subject, stored, data);
  if (type === 'UserErased')
    return { type, subject, boards: erasedFrom(data['boards']), ...attributionOf(data as Attribution) };
  const { [EVENT_ATTRIBUTES]: sealed, ...personal } = stored.personal ?? {};
  const user = decodeUser({ zone: stored.zone, personal });
  switch (type) {
    case 'MetricEventRecorded':
      return {
        type,
        subject,
        metric: stored.metric ?? '',
        value: parseAmount(stored.value ?? ''),
        user,
        attributes: new Map((sealed ?? data['attributes'] ?? []) as [string, string][]),
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

function decodeAccountFact(type: FactType, data: Json): AccountFact {
  switch (type) {
    case 'UsersSwept':
      if (!Array.isArray(data['subjects'])) throw new Error('it names no users');
      return { type, subjects: data['subjects'] as Subject[] };
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
    case 'WebhookChanged':
      return decodeWebhook(data);
    case 'LeaderboardRunStarted':
    case 'LeaderboardRunEnded':
      return { type, board: String(data['board']), run: String(data['run']) };
    default:
      throw new Error(`a ${type} belongs to a user, but the record names none`);
  }
}

const unlessEmpty = (data: Json): Json | null => (Object.keys(data).length === 0 ? null : data);

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

/** What is given by hand is data, who gave it too; the reason may say anything of the user. */
function encodeGrant({ subject, grant, keyHash, by, reason }: GrantRecorded) {
  return {
    subject,
    keyHash,
    data: { grant: encodeGranted(grant), ...attributionOf({ ...(by !== undefined && { by }) }) },
    personal: personalIn({ reason }),
  };
}

function decodeGrant(subject: Subject, { keyHash, personal }: StoredFact, data: Json): GrantRecorded {
  return {
    type: 'GrantRecorded',
    subject,
    grant: decodeGranted(data['grant'] as Json),
    keyHash,
    ...attributionOf({ ...(data as Attribution), ...(personal as Attribution | null) }),
  };
}

/** @throws Error for what this release does not know. */
function erasedFrom(boards: unknown): ErasedFrom {
  if (boards === 'remove' || boards === 'anonymous') return boards;
  throw new Error(`an erasure from boards in the unknown way ${JSON.stringify(boards)}`);
}

const encodeGranted = (grant: Grant): Json =>
  grant.kind === 'points' ? { ...grant, amount: String(grant.amount) } : { ...grant };

/** @throws Error for a kind that this release does not know. */
function decodeGranted({ kind, system, amount, boards, achievement, from, to }: Json): Grant {
  switch (kind) {
    case 'points': {
      const points = { system: String(system), amount: BigInt(String(amount)) };
      return { kind, ...points, ...(boards === false && { boards }) };
    }
    case 'freezes':
      return { kind, amount: Number(amount) };
    case 'streak':
      return { kind };
    case 'excused':
      return { kind, from: String(from), to: String(to) };
    case 'achievement':
    case 'revocation':
      return { kind, achievement: String(achievement) };
    default:
      throw new Error(`a grant of the unknown kind ${JSON.stringify(kind)}`);
  }
}

function encodeCorrection({ subject, corrections, keyHash, by, reason, ...how }: CorrectionRecorded) {
  const { achievements, finalRuns, preview } = how;
  return {
    subject,
    keyHash,
    data: {
      ...{ corrections: corrections.map(encodeEventCorrection), achievements, finalRuns, preview },
      ...attributionOf({ ...(by !== undefined && { by }) }),
    },
    personal: personalIn({ reason }),
  };
}

function decodeCorrection(subject: Subject, { keyHash, personal }: StoredFact, data: Json): CorrectionRecorded {
  return {
    type: 'CorrectionRecorded',
    subject,
    corrections: (data['corrections'] as readonly Json[]).map(decodeEventCorrection),
    achievements: oneOf(['recompute', 'keep'], data['achievements']),
    finalRuns: oneOf(['keep', 'change'], data['finalRuns']),
    preview: String(data['preview']),
    keyHash,
    ...attributionOf({ ...(data as Attribution), ...(personal as Attribution | null) }),
  };
}

function encodeEventCorrection({ position, eventId, ...change }: EventCorrection): Json {
  if (change.retract) return { position, eventId, retract: true };
  const { value, occurredAt, tz } = change;
  return {
    ...{ position, eventId },
    ...(value !== undefined && { value: formatAmount(value) }),
    ...(occurredAt !== undefined && { occurredAt: formatInstant(occurredAt) }),
    ...(tz !== undefined && { tz }),
  };
}

function decodeEventCorrection({ position, eventId, retract, value, occurredAt, tz }: Json): EventCorrection {
  const event = { position: Number(position), eventId: String(eventId) };
  if (retract === true) return { ...event, retract };
  return {
    ...event,
    ...(value !== undefined && { value: parseAmount(String(value)) }),
    ...(occurredAt !== undefined && { occurredAt: instantIn(String(occurredAt)) }),
    ...(tz !== undefined && { tz: String(tz) }),
  };
}

/** @throws Error unless it is one */
function instantIn(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`${JSON.stringify(text)} is no instant`);
  return instant;
}

/** @throws Error for a word that this release does not know. */
function oneOf<const Word extends string>(words: readonly Word[], given: unknown): Word {
  const word = words.find((known) => known === given);
  if (word === undefined) throw new Error(`${JSON.stringify(given)} is none of ${words.join(', ')}`);
  return word;
}

const personalIn = ({ reason }: { readonly reason: string | undefined }): Json | null =>
  reason === undefined ? null : { reason };

const attributionOf = ({ by, reason }: Attribution): Attribution => ({
  ...(by !== undefined && { by }),
  ...(reason !== undefined && { reason }),
});

const encodeUser = ({
  subject,
  user,
}: Extract<UserFact, { readonly user: UserFields }>): Pick<StoredFact, 'subject' | 'zone' | 'personal'> => ({
  subject,
  zone: user.tz === undefined ? null : (user.tz ?? ''),
  personal: personalOf(user),
});

const decodeUser = ({ zone, personal }: Pick<StoredFact, 'zone' | 'personal'>): UserFields =>
  withPersonal(zone === null ? {} : { tz: zone === '' ? null : zone }, personal ?? {});

/**
 * What names the user or was said of them; null: nothing. Attributes as pairs: `__proto__` is a legal attribute, and jsonb would
 * reorder the keys of an object.
 */
export function personalOf({ tz: _, attributes, ...fields }: UserFields): Json | null {
  return unlessEmpty({ ...fields, ...(attributes && { attributes: [...attributes] }) });
}

/** The attributes of the event itself, among the personal fields of its user. */
export const EVENT_ATTRIBUTES = 'eventAttributes';

const personalOfEvent = ({ user, attributes }: MetricEventRecorded): Json | null =>
  unlessEmpty({ ...personalOf(user), ...(attributes.size > 0 && { [EVENT_ATTRIBUTES]: [...attributes] }) });

/** The fields of a user with those that {@link personalOf} took out of them. */
export function withPersonal(user: UserFields, personal: Json): UserFields {
  const { attributes, ...fields } = personal as Omit<UserFields, 'attributes'> & {
    attributes?: [string, string | null][];
  };
  return { ...fields, ...user, ...(attributes && { attributes: new Map(attributes) }) };
}
