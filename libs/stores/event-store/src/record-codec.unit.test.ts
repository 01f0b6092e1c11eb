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

  it('leave their hashes in the clear, which stay when the personal fields are gone', () => {
    const attributeHashes = new Map([['k', 'v']]);
    const userHashes = new Map([
      ['p', 'w'],
      ['q', null],
    ]);
    const hashed = { ...event, user: { ...user, attributeHashes: userHashes }, attributeHashes };
    const encoded = encodeEvent(hashed);
    expect(encoded.personal).toEqual(encodeEvent(event).personal);
    expect(decodeEvent(encoded)).toEqual(hashed);
    const left = { attributes: new Map(), attributeHashes, user: { tz: 'UTC', attributeHashes: userHashes } };
    expect(decodeEvent({ ...encoded, personal: null })).toEqual({ ...event, ...left });
    const receipt = { ...hashed, receiptOnly: true } as const;
    expect(decodeEvent(encodeEvent(receipt))).toEqual(receipt);
  });

  it.each(['UserIdentified', 'AchievementCompletedByCall'] as const)('leave their hashes in a %s, too', (type) => {
    const identified = { type, subject: 7, user: { attributeHashes: new Map([['p', 'w']]) } };
    const said = type === 'UserIdentified' ? { ...identified, type } : { ...identified, type, achievement: 'first' };
    expect(decodeEvent({ ...encodeEvent(said), personal: null })).toEqual(said);
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
