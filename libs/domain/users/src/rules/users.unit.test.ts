import { parseMillionths } from '@laurel/amounts';
import { formatDay, parseDay } from '@laurel/calendar';
import { EffectList, type Effect, type Occasion, type UserFields } from '@laurel/kernel';
import {
  completionByCall,
  identification,
  metricEvent,
  sweep as sweepAt,
  type Happened,
} from '@laurel/kernel/fixtures';
import { ACCOUNT, configuration, PROTO } from '../users.fixture.ts';
import { usersRules, type UsersState } from './users.ts';
import { NO_METRICS } from './users-plan.ts';

const plan = usersRules.compile(configuration);
const AT = Date.parse('2024-03-01T23:00:00Z');

const metric = (key: string, value: string, fields: UserFields = {}): Happened =>
  metricEvent(plan.metricByKey.get(key) as number, parseMillionths(value), fields);
const profile = identification;
const completion = (fields: UserFields): Happened => completionByCall('a', fields);
const sweep = sweepAt();

const occasionOf = (happened: Happened, position: number): Occasion => ({
  account: ACCOUNT,
  subject: 7,
  position,
  eventId: `event ${position}`,
  occurredAt: AT + position,
  recordedAt: AT + position,
  ...happened,
  user: { createdAt: 0, zone: '', previousZone: '', day: 0, total: null },
});

/** Applies one event each millisecond from `AT` on, and returns their effects and the user that later areas see. */
function life(...events: readonly Happened[]) {
  const state = usersRules.initial(plan);
  const told = events.map((happened, position) => {
    const occasion = occasionOf(happened, position);
    const out = new EffectList(occasion, { version: 1 });
    usersRules.apply(state, occasion, plan, out);
    return { effects: out.effects as readonly Effect[], user: occasion.user };
  });
  return { state, effects: told.map(({ effects }) => effects), users: told.map(({ user }) => user) };
}

describe('the effects of an event on the user', () => {
  it('include the creation of the user by the first event, whatever its type', () => {
    for (const first of [profile({}), completion({})])
      expect(life(first, profile({})).effects).toEqual([[{ type: 'UserCreated', at: AT }], []]);
    expect(life(metric('commits', '0')).effects[0]?.[0]).toEqual({ type: 'UserCreated', at: AT });
  });

  it('are empty for a sweep, which creates no user', () => {
    expect(life(sweep, profile({})).effects).toEqual([[], [{ type: 'UserCreated', at: AT + 1 }]]);
  });

  it('include a change of zone if the zone differs, from UTC and back to it', () => {
    const { effects, users } = life(
      profile({ tz: 'Asia/Tokyo' }),
      profile({ tz: 'Asia/Tokyo' }),
      profile({ tz: null }),
    );
    expect(effects).toEqual([
      [
        { type: 'UserCreated', at: AT },
        { type: 'ZoneChanged', from: 'UTC', to: 'Asia/Tokyo' },
      ],
      [],
      [{ type: 'ZoneChanged', from: 'Asia/Tokyo', to: 'UTC' }],
    ]);
    expect(users.map(({ zone, previousZone }) => [previousZone, zone])).toEqual([
      ['UTC', 'Asia/Tokyo'],
      ['Asia/Tokyo', 'Asia/Tokyo'],
      ['Asia/Tokyo', 'UTC'],
    ]);
  });

  it('include the changed total, dated in the zone that the event sets', () => {
    const { effects, users } = life(
      profile({}),
      metric('commits', '1.5', { tz: 'Asia/Tokyo' }),
      metric('commits', '-2'),
    );
    const day = parseDay('2024-03-02');
    expect(effects.slice(1)).toEqual([
      [
        { type: 'ZoneChanged', from: 'UTC', to: 'Asia/Tokyo' },
        { type: 'UserBecameActive', day },
        { type: 'MetricTotalChanged', metric: 'commits', change: 1_500_000, total: 1_500_000, day },
      ],
      [{ type: 'MetricTotalChanged', metric: 'commits', change: -2_000_000, total: -500_000, day }],
    ]);
    expect(users.map(({ total }) => total)).toEqual([null, 1_500_000, -500_000]);
  });

  it('include that the user became active, once a day and never for an earlier day', () => {
    const active = (...events: readonly Happened[]) =>
      life(...events).effects.map((effects) =>
        effects.flatMap((effect) => (effect.type === 'UserBecameActive' ? formatDay(effect.day) : [])),
      );
    const [here, east, west] = ['UTC', 'Asia/Tokyo', 'America/New_York'].map((tz) => metric('commits', '0', { tz }));
    expect(active(profile({}), sweep, here!, here!, west!, east!, here!, east!)).toEqual([
      [],
      [],
      ['2024-03-01'],
      [],
      [],
      ['2024-03-02'],
      [],
      [],
    ]);
  });

  it('exclude a total for a value of 0, although later areas see the total', () => {
    const { effects, users } = life(metric(PROTO, '3'), metric(PROTO, '0'), metric('commits', '0'));
    expect(effects.slice(1)).toEqual([[], []]);
    expect(users.map(({ total }) => total)).toEqual([3_000_000, 3_000_000, 0]);
  });

  it('are exact beyond the precision of a double', () => {
    const { effects } = life(metric('commits', '9007199254.740991'), metric('commits', '0.000001'));
    expect(effects[1]).toMatchObject([{ change: 1, total: 2n ** 53n }]);
  });
});

describe('the state of a user', () => {
  it('dates the last change of the profile, not a repetition of the same values', () => {
    const said = profile({ name: 'Ada', tz: 'UTC' });
    expect(life(said, metric('commits', '1', { tz: 'UTC' }), said, sweep).state).toMatchObject({ updatedAt: AT });
    expect(life(said, said, profile({ name: null })).state).toMatchObject({ createdAt: AT, updatedAt: AT + 2 });
  });

  it('is not changed by changes to its clone', () => {
    const { state } = life(metric('commits', '1'));
    const before = JSON.stringify(usersRules.encode(state, plan));
    const draft = usersRules.clone(state);
    const occasion = occasionOf(metric(PROTO, '1', { name: 'Ada' }), 7);
    usersRules.apply(draft, occasion, plan, new EffectList(occasion, { version: 1 }));
    expect(JSON.stringify(usersRules.encode(state, plan))).toBe(before);
    expect(JSON.stringify(usersRules.encode(draft, plan))).not.toBe(before);
  });

  it('keeps totals of metrics that a version lacks, and continues them when they return', () => {
    const { state } = life(metric('commits', '1'), metric(PROTO, '2'));
    const without = usersRules.compile({ ...configuration, metrics: configuration.metrics.slice(0, 1) });
    const rebound = (from: UsersState) =>
      usersRules.decode(usersRules.encode(usersRules.decode(usersRules.encode(from, plan), without), without), plan);
    expect(rebound(state)).toEqual(state);
    expect(usersRules.decode(usersRules.encode(state, plan), NO_METRICS).otherTotals).toEqual(
      new Map([
        [PROTO, 2_000_000],
        ['commits', 1_000_000],
      ]),
    );
  });
});
