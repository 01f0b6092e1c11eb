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

describe('an event stored by an earlier release', () => {
  it.each([
    [stored('ConfigurationPublished', { version: 2, document: { a: 1 } }), { version: 2, document: { a: 1 } }],
    [stored('ImportOpened', {}), {}],
    [stored('ImportOpened', { unboundedAwards: true }), { unboundedAwards: true }],
    [stored('ImportClosed', { reason: 'finished' }), { cause: 'finished' }],
    [stored('ImportClosed', { reason: 'idle' }), { cause: 'idle' }],
  ])('is decoded without actor and reason: %j', (old, read) => {
    expect(decodeEvent(old)).toEqual({ type: old.type, ...read });
  });

  it('is distinguished from one with a given reason', () => {
    const closed = { type: 'ImportClosed', cause: 'finished', by: 'local', reason: 'idle' } as const;
    expect(encodeEvent(closed)).toMatchObject({ schemaVersion: 2 });
    expect(decodeEvent(encodeEvent(closed))).toEqual(closed);
  });
});

describe('the attributes of a metric event', () => {
  const attributes = new Map([
    ['10', 'x'],
    ['__proto__', 'y'],
  ]);
  const user = { name: 'Ada', tz: 'UTC', attributes: new Map([['plan', 'team']]) };
  const event: MetricEventRecorded = {
    ...{ type: 'MetricEventRecorded', subject: 7, metric: 'words', value: 1_000_000n, user, attributes },
    ...{ keyHash: null, imported: false },
  };

  it('are stored as personal fields', () => {
    const encoded = encodeEvent(event);
    expect([encoded.schemaVersion, encoded.data]).toEqual([3, null]);
    expect(decodeEvent(encoded)).toEqual(event);
    expect(decodeEvent({ ...encoded, personal: null })).toEqual({
      ...event,
      user: { tz: 'UTC' },
      attributes: new Map(),
    });
  });

  it('are still read from releases that stored them unsealed', () => {
    const { attributes: _, ...personal } = encodeEvent({ ...event, attributes: new Map() }).personal ?? {};
    const old = { ...encodeEvent(event), schemaVersion: 2, data: { attributes: [...attributes] }, personal };
    expect(decodeEvent(old)).toEqual({ ...event, user: { name: 'Ada', tz: 'UTC' } });
  });
});

it('an unknown schema version is refused', () => {
  expect(() => upcast('ImportClosed', 3, {})).toThrow('schema version 3; this release reads 1 to 2');
});
