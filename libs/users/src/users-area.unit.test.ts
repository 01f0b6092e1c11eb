import { METRIC_DAYS } from './metric-days.ts';
import { ACCOUNT, amount, live, PROTO } from './users.fixture.ts';
import { usersArea } from './users-area.ts';

const tablesOf = (rows: ReadonlyMap<string, unknown>) => [...rows.keys()];

describe('the users area', () => {
  it('adds what a metric event brings to its date on the clock that the event itself names', () => {
    const { rows } = live([{ at: '2024-03-01T23:00:00Z', metric: 'commits', value: '-1.5', tz: 'Asia/Tokyo' }]);
    expect(rows[0]?.get('metric_days')).toEqual([
      { account: ACCOUNT, user_id: PROTO, metric: 'commits', date: '2024-03-02', change: '-1.5' },
    ]);
  });

  it('leaves no trace on a date for a value of 0, an identification or a sweep', () => {
    const { rows, states } = live([
      { at: '2024-03-01T12:00:00Z', value: '0' },
      { at: '2024-03-01T13:00:00Z', tz: 'Asia/Tokyo' },
      { at: '2024-03-01T14:00:00Z', swept: true },
    ]);
    expect(rows.map(tablesOf)).toEqual([['user_counts'], ['user_zones'], []]);
    expect(states.get(PROTO)?.totals).toEqual(new Map([[PROTO, 0n]]));
  });

  it('merges only rows of one account, user, metric and date', () => {
    const row = { account: 'a', user_id: 'u', metric: 'm', date: '2024-03-01', change: '1' };
    const { keyOf } = METRIC_DAYS.merge!;
    const others = [{ account: 'b' }, { user_id: 'v' }, { metric: 'n' }, { date: '2024-03-02' }];
    const keys = [row, ...others.map((other) => ({ ...row, ...other }))].map(keyOf);
    expect(new Set(keys).size).toBe(5);
    expect(keyOf({ ...row, change: '2' })).toBe(keys[0]);
  });

  it('reads states of version 1, which differ in nothing', () => {
    const totals = [[PROTO, '12.5']];
    const stored = { created: 1, updated: 2, tz: 'Asia/Tokyo', attributes: [[PROTO, 'x']], totals };
    const state = usersArea.decode(stored);
    expect(state).toMatchObject({ createdAt: 1, updatedAt: 2, tz: 'Asia/Tokyo', name: null });
    expect(state.totals).toEqual(new Map([[PROTO, amount('12.5')]]));
    expect(usersArea.encode(state)).toEqual(stored);
  });
});
