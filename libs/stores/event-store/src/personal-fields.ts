import {
  isPointsRequest,
  userKey,
  type DomainEvent,
  type NewRecord,
  type Subject,
  type UserEvent,
  type UserRef,
} from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Json } from './stored-event-data.ts';

/** The first byte of a sealed value: its format. */
const FORM = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The record of a sealed value, to which it is bound. */
export interface SealedFor {
  readonly subject: Subject;
  readonly eventId: string;
}

/** Encrypts the fields with the user's data key by AES-256-GCM: format, nonce, ciphertext, tag. */
export function seal(fields: Json, key: Uint8Array, of: SealedFor): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(of));
  const text = [cipher.update(JSON.stringify(fields), 'utf8'), cipher.final()];
  return Buffer.concat([Buffer.of(FORM), nonce, ...text, cipher.getAuthTag()]);
}

/** @throws Error if the value was changed, or sealed with another key or for another record */
export function unseal(sealed: Uint8Array, key: Uint8Array, of: SealedFor): Json {
  if (sealed[0] !== FORM)
    throw new Error(`the personal fields are sealed in format ${sealed[0]}; this release reads format ${FORM}`);
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const text = sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(boundTo(of))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  return JSON.parse(Buffer.concat([decipher.update(text), decipher.final()]).toString()) as Json;
}

const boundTo = ({ subject, eventId }: SealedFor): Buffer => Buffer.from(`${subject}:${eventId}`);

/** Data keys by `userKey`. */
export type KeysByUser = ReadonlyMap<string, Uint8Array>;

/** Without keys, records are read without personal fields. */
export const NO_KEYS: KeysByUser = new Map();

/** The data keys that are needed to store these records. Few records bring personal fields. */
export function keysToSeal(records: readonly NewRecord[], keys: DataKeys): KeysByUser | Promise<KeysByUser> {
  const users = records.flatMap(({ account, fact }): UserRef[] =>
    bringsPersonalFields(fact) ? [{ account, subject: fact.subject }] : [],
  );
  return users.length === 0 ? NO_KEYS : keys.dataKeys(users);
}

/** Whether a recorded event has personal fields. */
export const bringsPersonalFields = (fact: DomainEvent): fact is UserEvent =>
  'user' in fact
    ? hasPersonalFields(fact.user) || (fact.type === 'MetricEventRecorded' && fact.attributes.size > 0)
    : isPointsRequest(fact)
      ? fact.reason !== undefined || ('reference' in fact && fact.reference !== undefined)
      : (fact.type === 'GrantRecorded' || fact.type === 'CorrectionRecorded') && fact.reason !== undefined;

const hasPersonalFields = (user: object): boolean => Object.keys(user).some((field) => field !== 'tz');

export interface SealedRow {
  readonly account: string;
  readonly subject: string | number | null;
  readonly personal: Uint8Array | null;
}

/** The data keys that are needed to read these rows. */
export function keysToOpen(rows: readonly SealedRow[], keys: DataKeys): KeysByUser | Promise<KeysByUser> {
  const users = rows.flatMap(({ account, subject, personal }): UserRef[] =>
    personal === null ? [] : [{ account, subject: Number(subject) }],
  );
  return users.length === 0 ? NO_KEYS : keys.dataKeys(users);
}

/** null if the data key was destroyed, so that personal fields can be neither stored nor read. */
export const keyOf = (keys: KeysByUser, account: string, subject: Subject): Uint8Array | null =>
  keys.get(userKey({ account, subject })) ?? null;

/** The sealed personal fields of a record; null if it has none, or if the user's data key was destroyed. */
export function sealedOf(
  { account, eventId }: Pick<NewRecord, 'account' | 'eventId'>,
  { subject, personal }: { readonly subject: Subject | null; readonly personal: Json | null },
  keys: KeysByUser,
): Buffer | null {
  if (subject === null || personal === null) return null;
  const key = keyOf(keys, account, subject);
  return key === null ? null : seal(personal, key, { subject, eventId });
}

/** Opens the result of {@link sealedOf}; null if it was null, or if the user's data key has been destroyed since. */
export function openedOf(
  { account, eventId }: Pick<NewRecord, 'account' | 'eventId'>,
  { subject, personal }: { readonly subject: Subject | null; readonly personal: Uint8Array | null },
  keys: KeysByUser,
): Json | null {
  if (subject === null || personal === null) return null;
  const key = keyOf(keys, account, subject);
  return key === null ? null : unseal(personal, key, { subject, eventId });
}
