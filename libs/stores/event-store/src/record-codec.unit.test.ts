import type { MetricEventRecorded } from '@laurel/kernel';
import { decodeEvent, encodeEvent } from './record-codec.ts';
import type { StoredEventData } from './stored-event-data.ts';
import { upcast } from './upcasters.ts';

const stored = (type: string, data: StoredEventData['data'], schemaVersion = 1): StoredEventData => ({
  type,
  schemaVersion,
  subject: null,
  metric: null,
  keyHash: null,
  value: null,
  zone: null,
  imported: false,
  data,
  personal: null,
});

describe('what earlier releases have stored', () => {
  it.each([
    [stored('ConfigurationPublished', { version: 2, document: { a: 1 } }), { version: 2, document: { a: 1 } }],
    [stored('ImportOpened', {}), {}],
    [stored('ImportOpened', { unboundedAwards: true }), { unboundedAwards: true }],
    [stored('ImportClosed', { reason: 'finished' }), { cause: 'finished' }],
    [stored('ImportClosed', { reason: 'idle' }), { cause: 'idle' }],
  ])('is read without who did it, and why: %j', (old, read) => {
    expect(decodeEvent(old)).toEqual({ type: old.type, ...read });
  });

  it('is told apart from a reason that somebody gave', () => {
    const closed = { type: 'ImportClosed', cause: 'finished', by: 'local', reason: 'idle' } as const;
    expect(encodeEvent(closed)).toMatchObject({ schemaVersion: 2 });
    expect(decodeEvent(encodeEvent(closed))).toEqual(closed);
  });
});

describe('the attributes of an event', () => {
  const attributes = new Map([
    ['10', 'x'],
    ['__proto__', 'y'],
  ]);
  const user = { name: 'Ada', tz: 'UTC', attributes: new Map([['plan', 'team']]) };
  const event: MetricEventRecorded = {
    ...{ type: 'MetricEventRecorded', subject: 7, metric: 'words', value: 1_000_000n, user, attributes },
    ...{ keyHash: null, imported: false },
  };

  it('are personal fields, beside those of the user', () => {
    const encoded = encodeEvent(event);
    expect([encoded.schemaVersion, encoded.data]).toEqual([3, null]);
    expect(decodeEvent(encoded)).toEqual(event);
    expect(decodeEvent({ ...encoded, personal: null })).toEqual({
      ...event,
      user: { tz: 'UTC' },
      attributes: new Map(),
    });
  });

  it('are still read where they were clear text', () => {
    const { attributes: _, ...personal } = encodeEvent({ ...event, attributes: new Map() }).personal ?? {};
    const old = { ...encodeEvent(event), schemaVersion: 2, data: { attributes: [...attributes] }, personal };
    expect(decodeEvent(old)).toEqual({ ...event, user: { name: 'Ada', tz: 'UTC' } });
  });
});

it('refuses a version that this release does not know', () => {
  expect(() => upcast('ImportClosed', 3, {})).toThrow('schema version 3; this release reads 1 to 2');
});
