import { storedRows } from '@laurel/kernel';
import { subjectOf } from '@laurel/testing/subjects';
import { METRIC_MONTHS } from './metric-months.ts';
import { amount, configuration, live, PROTO } from './users.fixture.ts';
import { profileOf } from './user-queries.ts';
import { usersArea } from './users-area.ts';

const tablesOf = (rows: ReadonlyMap<string, unknown>) => [...rows.keys()];

const attributesOf = (from: number, to: number) =>
  new Map(Array.from({ length: to - from + 1 }, (_, index) => [`k${from + index}`, 'v'] as const));

describe('attributes beyond the limit of 50', () => {
  const at = '2024-03-01T12:00:00Z';

  it('are cut off at the first 50 if concurrent events exceed the limit', () => {
    const { users } = live([
      { at, attributes: attributesOf(1, 40), attributeLimit: 50 },
      { at, attributes: attributesOf(41, 60), attributeLimit: 50 },
    ]);
    expect([...(users.get(subjectOf(PROTO))?.attributes.keys() ?? [])]).toEqual([...attributesOf(1, 50).keys()]);
  });

  it('stay if they were recorded before the limit existed, but no further ones are added', () => {
    const { users } = live([
      { at, attributes: attributesOf(1, 40) },
      { at, attributes: attributesOf(41, 60) },
      { at, attributes: attributesOf(60, 61), attributeLimit: 50 },
      { at, attributes: new Map([['k1', null]]), attributeLimit: 50 },
    ]);
    expect([...(users.get(subjectOf(PROTO))?.attributes.keys() ?? [])]).toEqual([...attributesOf(2, 60).keys()]);
  });

  it('can be refused by command handlers, which see the attributes that a user already has', () => {
    const { states } = live([{ at, attributes: attributesOf(1, 50), attributeLimit: 50 }]);
    const state = states.get(subjectOf(PROTO)) ?? usersArea.initial();
    expect(usersArea.knownUser?.(state)).toEqual({
      isCreated: true,
      isErased: false,
      attributes: attributesOf(1, 50),
    });
  });
});

describe('the hashes of attributes', () => {
  const said = (hashes: Readonly<Record<string, string | null>>) => ({
    attributeHashes: new Map(Object.entries(hashes)),
  });
  const hashesAfter = (...happenings: Parameters<typeof live>[0]) =>
    live(happenings).states.get(subjectOf(PROTO))?.state.attributeHashes;
  const at = '2024-03-01T12:00:00Z';

  it('are merged as the attributes are, and need none of them', () => {
    const hashes = hashesAfter(
      { at, said: said({ plan: 'free', city: 'london' }) },
      { at, value: '1' },
      { at, value: '1', said: said({ plan: 'pro', city: null }) },
    );
    expect([...(hashes ?? [])]).toEqual([['plan', 'pro']]);
  });

  it('change no instant of the profile', () => {
    const { users } = live([
      { at: '2024-03-01T12:00:00Z', attributes: new Map([['plan', 'pro']]) },
      { at: '2024-03-02T12:00:00Z', attributes: new Map([['plan', 'pro']]), said: said({ plan: 'pro' }) },
    ]);
    expect(users.get(subjectOf(PROTO))?.updatedAt).toBe(Date.parse('2024-03-01T12:00:00Z'));
  });
});

describe('the users area', () => {
  it('adds the value of a metric event to its date in the zone that the event names', () => {
    const { rows } = live([{ at: '2024-03-01T23:00:00Z', metric: 'commits', value: '-1.5', tz: 'Asia/Tokyo' }]);
    expect(storedRows(METRIC_MONTHS.table, rows[0]?.get('metric_months') ?? [])).toEqual([
      {
        subject: subjectOf(PROTO),
        month: '2024-03-01',
        metric: configuration.names.metrics.numberOf('commits'),
        days: { 2: '-1.5' },
      },
    ]);
  });

  it('stores a row for every event and sweep, even without effects', () => {
    const { rows } = live([
      { at: '2024-03-01T12:00:00Z', metric: 'commits', value: '2' },
      { at: '2024-03-01T14:00:00Z', swept: true },
    ]);
    const row = (position: number, hour: number) => ({
      subject: subjectOf(PROTO),
      position,
      occurred_at: `2024-03-01T${hour}:00:00.000Z`,
    });
    expect(rows.map((each) => each.get('effects'))).toEqual([
      [{ ...row(1, 12), users: '[["created"],["active"],[2,2,2]]' }],
      [row(2, 14)],
    ]);
  });

  it('stores nothing per date for a value of 0, an identification or a sweep', () => {
    const { rows, users } = live([
      { at: '2024-03-01T12:00:00Z', value: '0' },
      { at: '2024-03-01T13:00:00Z', tz: 'Asia/Tokyo' },
      { at: '2024-03-01T14:00:00Z', swept: true },
    ]);
    expect(rows.flatMap(tablesOf)).not.toContain('metric_months');
    expect(users.get(subjectOf(PROTO))?.totals).toEqual(new Map([[PROTO, 0n]]));
  });

  it('merges only rows of the same user, metric and month', () => {
    const row = { subject: 1, metric: 1, month: '2024-03-01', days: { 1: '1' } };
    const { keyOf } = METRIC_MONTHS.table.merge!;
    const others = [{ subject: 2 }, { metric: 2 }, { month: '2024-04-01' }];
    const keys = [row, ...others.map((other) => ({ ...row, ...other }))].map(keyOf);
    expect(new Set(keys).size).toBe(4);
    expect(keyOf({ ...row, days: { 2: '1' } })).toBe(keys[0]);
  });

  it('reads states of version 1 without changes', () => {
    const totals = [[PROTO, '12.5']];
    const stored = { created: 1, updated: 2, tz: 'Asia/Tokyo', attributes: [[PROTO, 'x']], totals };
    const user = profileOf(stored);
    expect(user).toMatchObject({ createdAt: 1, updatedAt: 2, tz: 'Asia/Tokyo', name: null });
    expect(user.totals).toEqual(new Map([[PROTO, amount('12.5')]]));
    expect(usersArea.encode(usersArea.decode(stored))).toEqual(stored);
    expect(user).toMatchObject({ subscribeToEmails: true, deviceTokens: [] });
  });

  it('keeps the e-mail subscription and the device tokens of a user', () => {
    const kept = { subscribeToEmails: false, deviceTokens: ['a', 'b'] };
    const { users } = live([{ at: '2024-03-01T12:00:00Z', said: kept }, { at: '2024-03-01T13:00:00Z' }]);
    expect(users.get(subjectOf(PROTO))).toMatchObject(kept);
  });

  it('returns to UTC when the zone is removed, and stores the change', () => {
    const { sections, rows, users } = live([
      { at: '2024-03-01T23:00:00Z', tz: 'Asia/Tokyo' },
      { at: '2024-03-01T23:00:00Z', tz: null },
    ]);
    expect(sections[1]).toMatchObject({ zone: 'UTC', previousZone: 'Asia/Tokyo', date: '2024-03-01' });
    expect(rows[1]?.get('user_zones')).toMatchObject([{ zone: 'UTC' }]);
    expect(users.get(subjectOf(PROTO))?.tz).toBeNull();
  });
});
