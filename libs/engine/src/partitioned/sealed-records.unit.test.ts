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

describe('a message of the topic of the log', () => {
  const keys = new MemoryDataKeys();
  const message = messageWith({ ...PERSONAL, tz: 'Asia/Tokyo' });

  it('names its user by the subject alone, and shows nothing that was said of them', async () => {
    const value = await onTheWire(message, keys);
    const one = read(value);
    expect(shownIn(value)).toEqual([]);
    expect(shownIn(Buffer.from(one.sealed ?? '', 'base64').toString('latin1'))).toEqual([]);
    expect(one.message).toEqual(messageWith({ tz: 'Asia/Tokyo' }));
  });

  it('brings every field to whoever has the data key', async () => {
    expect(await openedWith(read(await onTheWire(message, keys)), keys)).toEqual(message);
  });

  it('brings no personal fields once the data key was destroyed', async () => {
    const value = await onTheWire(message, keys);
    const without = new MemoryDataKeys();
    without.destroy(ADA);
    expect(await openedWith(read(value), without)).toEqual(messageWith({ tz: 'Asia/Tokyo' }));
  });

  it('is written without personal fields if the data key was destroyed before', async () => {
    const without = new MemoryDataKeys();
    without.destroy(ADA);
    const value = await onTheWire(message, without);
    expect(shownIn(value)).toEqual([]);
    expect(await openedWith(read(value), keys)).toEqual(messageWith({ tz: 'Asia/Tokyo' }));
  });

  it('is refused with the personal fields of another record', async () => {
    const { sealed: foreign } = read(await onTheWire(messageWith(PERSONAL, 'another'), keys));
    const forged = { ...read(await onTheWire(message, keys)), ...(foreign !== undefined && { sealed: foreign }) };
    await expect(openedWith(forged, keys)).rejects.toThrow();
  });

  it('asks for the data key of a record that brings personal fields, and of no other', async () => {
    const plain = streamed(messageWith({ tz: 'Asia/Tokyo' }));
    const full = read(await onTheWire(message, keys));
    expect((await keysFor([plain], keys)).size).toBe(0);
    expect([...(await keysFor([plain, full], keys)).keys()]).toEqual([userKey(ADA)]);
  });
});

it('tells whoever waits the sections of a message, and nothing else of it', () => {
  const message = { ...messageWith(PERSONAL), sections: { achievements: { completed: [] } } };
  const told = { kind: 'trunk', eventId: message.record.eventId, trail: [3], boards: [1] } as const;
  expect(decodeEffect(encodeEffect({ ...told, message }))).toEqual({
    ...told,
    message: { sections: message.sections },
  });
});

it('shows nothing personal in a message behind the first service, either', () => {
  const message = messageWith(PERSONAL);
  const onward = encodeStreamed(streamed(message));
  const effect = encodeEffect({ kind: 'trunk', eventId: message.record.eventId, message, trail: [], boards: [] });
  expect([shownIn(onward), shownIn(effect)]).toEqual([[], []]);
});
