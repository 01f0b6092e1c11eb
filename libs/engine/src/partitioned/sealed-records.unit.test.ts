import { newMessage, userKey, type ChainMessage } from '@laurel/kernel';
import type { StreamedRecord } from '@laurel/ports';
import { keyHashOf, keysToSeal } from '@laurel/event-store';
import { subjectOf } from '@laurel/testing/subjects';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { decodeEffect, decodeStreamed, encodeEffect, encodeStreamed, headersOf } from './protocol.ts';
import { keysFor, opened, sealed } from './sealed-records.ts';

const ADA = { account: 'default', subject: subjectOf('lovelace') };
const PERSONAL = {
  name: 'Ada',
  email: 'ada@example.org',
  attributes: new Map([['team', 'engine']]),
  deviceTokens: ['token-1'],
};
const CLEAR = ['lovelace', 'Ada', 'example.org', 'team', 'engine', 'token-1', 'request-7'];

const messageWith = (user: object, eventId = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a'): ChainMessage =>
  newMessage({
    eventId,
    account: ADA.account,
    configurationVersion: 1,
    occurredAt: 1,
    recordedAt: 2,
    position: 3,
    fact: {
      type: 'MetricEventRecorded',
      subject: ADA.subject,
      metric: 'words',
      value: 1_000_000n,
      user,
      attributes: new Map(),
      keyHash: keyHashOf({ ...ADA, metric: 'words', key: 'request-7' }),
      imported: false,
    },
  });

const streamed = (message: ChainMessage): StreamedRecord => ({ kind: 'record', message, trail: [] });

/** As the relay writes a message to the topic of the log. */
async function onTheWire(message: ChainMessage, keys: MemoryDataKeys): Promise<string> {
  const { record } = message;
  return encodeStreamed(sealed(streamed(message), await keysToSeal([record as never], keys)));
}

const read = (value: string): StreamedRecord =>
  decodeStreamed({ value, offset: 0, headers: headersOf({ source: 0, sequence: 1 }) } as never) as StreamedRecord;

const openedWith = async (one: StreamedRecord, keys: MemoryDataKeys) => opened(one, await keysFor([one], keys));

const shownIn = (text: string): readonly string[] => CLEAR.filter((clear) => text.includes(clear));

describe("a message on the event store's topic", () => {
  const keys = new MemoryDataKeys();
  const message = messageWith({ ...PERSONAL, tz: 'Asia/Tokyo' });

  it('keeps the hashes of attributes, with and without the data key of the user', async () => {
    const attributeHashes = new Map([['k', 'v']]);
    const hashed = messageWith({ ...PERSONAL, attributeHashes });
    const one = read(await onTheWire(hashed, keys));
    expect((await openedWith(one, keys)).record).toEqual(hashed.record);
    const without = new MemoryDataKeys();
    without.destroy(ADA);
    expect((await openedWith(one, without)).record).toEqual(messageWith({ attributeHashes }).record);
  });

  it('names its user only by subject, and shows no personal fields', async () => {
    const value = await onTheWire(message, keys);
    const one = read(value);
    expect(shownIn(value)).toEqual([]);
    expect(shownIn(Buffer.from(one.sealed ?? '', 'base64').toString('latin1'))).toEqual([]);
    expect(one.message).toEqual(messageWith({ tz: 'Asia/Tokyo' }));
  });

  it('is opened with all its fields by a process that has the data key', async () => {
    expect(await openedWith(read(await onTheWire(message, keys)), keys)).toEqual(message);
  });

  it('is opened without personal fields once the data key is destroyed', async () => {
    const value = await onTheWire(message, keys);
    const without = new MemoryDataKeys();
    without.destroy(ADA);
    expect(await openedWith(read(value), without)).toEqual(messageWith({ tz: 'Asia/Tokyo' }));
  });

  it('is written without personal fields if the data key has been destroyed', async () => {
    const without = new MemoryDataKeys();
    without.destroy(ADA);
    const value = await onTheWire(message, without);
    expect(shownIn(value)).toEqual([]);
    expect(await openedWith(read(value), keys)).toEqual(messageWith({ tz: 'Asia/Tokyo' }));
  });

  it('is refused if it carries the personal fields of another event', async () => {
    const { sealed: foreign } = read(await onTheWire(messageWith(PERSONAL, 'another'), keys));
    const forged = { ...read(await onTheWire(message, keys)), ...(foreign !== undefined && { sealed: foreign }) };
    await expect(openedWith(forged, keys)).rejects.toThrow();
  });

  it('needs the data key only if it carries personal fields', async () => {
    const plain = streamed(messageWith({ tz: 'Asia/Tokyo' }));
    const full = read(await onTheWire(message, keys));
    expect((await keysFor([plain], keys)).size).toBe(0);
    expect([...(await keysFor([plain, full], keys)).keys()]).toEqual([userKey(ADA)]);
  });
});

it('an effect carries only the answer parts of a message to whoever waits', () => {
  const message = { ...messageWith(PERSONAL), sections: { achievements: { completed: [] } } };
  const told = { kind: 'trunk', eventId: message.record.eventId, trail: [3], boards: [1] } as const;
  expect(decodeEffect(encodeEffect({ ...told, message }))).toEqual({
    ...told,
    message: { sections: message.sections },
  });
});

it('a message after the first service carries no personal fields either', () => {
  const message = messageWith(PERSONAL);
  const onward = encodeStreamed(streamed(message));
  const effect = encodeEffect({ kind: 'trunk', eventId: message.record.eventId, message, trail: [], boards: [] });
  expect([shownIn(onward), shownIn(effect)]).toEqual([[], []]);
});
