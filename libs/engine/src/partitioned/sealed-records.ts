import type { ChainMessage, UserFields } from '@laurel/kernel';
import type { DataKeys, Streamed, StreamedRecord } from '@laurel/ports';
import { keysToOpen, openedOf, personalOf, sealedOf, withPersonal, type KeysByUser } from '@laurel/event-store';

/**
 * Seals a record for the topic of the log. @param keys from `keysToSeal`; personal fields of a user without a key are
 * dropped.
 */
export function sealed(streamed: StreamedRecord, keys: KeysByUser): StreamedRecord {
  const { record } = streamed.message;
  const { fact } = record;
  const personal = 'user' in fact ? personalOf(fact.user) : null;
  const bytes = sealedOf(record, { subject: fact.subject, personal }, keys);
  return bytes === null ? streamed : { ...streamed, sealed: bytes.toString('base64') };
}

/** The data keys needed to read these messages, in one request; hardly any message has personal fields. */
export async function keysFor(streamed: readonly Streamed[], keys: DataKeys): Promise<KeysByUser> {
  return keysToOpen(
    streamed.flatMap((one) => (one.kind === 'record' ? [rowOf(one)] : [])),
    keys,
  );
}

const rowOf = ({ sealed: text, message: { record } }: StreamedRecord) => ({
  account: record.account,
  subject: record.fact.subject,
  personal: text === undefined ? null : EMPTY,
});

const EMPTY = new Uint8Array();

/**
 * The message with its personal fields opened, or without them if the user's data key was destroyed. @throws Error if
 * the fields were tampered with.
 */
export function opened({ message, sealed: text }: StreamedRecord, keys: KeysByUser): ChainMessage {
  const { record } = message;
  const { fact } = record;
  if (text === undefined || !('user' in fact)) return message;
  const personal = openedOf(record, { subject: fact.subject, personal: Buffer.from(text, 'base64') }, keys);
  return personal === null ? message : withUser(message, withPersonal(fact.user, personal));
}

/** The message without personal fields: only these stay behind when a message is sent. */
export function withoutPersonal(message: ChainMessage): ChainMessage {
  const { fact } = message.record;
  if (!('user' in fact) || personalOf(fact.user) === null) return message;
  const { tz, attributeHashes } = fact.user;
  return withUser(message, { ...(tz !== undefined && { tz }), ...(attributeHashes && { attributeHashes }) });
}

function withUser(message: ChainMessage, user: UserFields): ChainMessage {
  const { record } = message;
  return { ...message, record: { ...record, fact: { ...record.fact, user } as typeof record.fact } };
}
