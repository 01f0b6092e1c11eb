import { counterTable } from './counter-table.ts';

const table = counterTable({
  name: 'day_counts',
  key: ['account', 'metric', 'date'],
  counts: ['events'],
  sums: ['total'],
});
const row = { account: 'a', metric: '__proto__', date: '2026-03-01', partition: 2, events: 1, total: 500_000 };

describe('counterTable', () => {
  it('adds the numbers of rows with the same key exactly, and separates others', () => {
    const { keyOf, combine } = table.merge!;
    const sum = combine({ ...row, total: 9_007_199_254_740_993_000_001n }, row);
    expect(sum).toEqual({ ...row, events: 2, total: 9_007_199_254_740_993_500_001n });
    expect(table.stored!(sum)).toEqual({ ...row, events: 2, total: '9007199254740993.500001' });
    const others = [{ account: 'b' }, { metric: 'a' }, { date: '2026-03-02' }, { partition: 3 }];
    expect(new Set([row, ...others.map((other) => ({ ...row, ...other }))].map(keyOf)).size).toBe(5);
    expect(keyOf({ ...row, events: 7, total: 1 })).toBe(keyOf(row));
  });

  it('adds to the stored row with the same key', () => {
    expect(table.onConflict).toBe(
      'on conflict (account, metric, date, partition) do update set events = day_counts.events + excluded.events, ' +
        'total = trim_scale(day_counts.total + excluded.total)',
    );
  });

  it('is digested without partitions and without zeros', () => {
    expect(
      table
        .digest?.({ directory: 'subjects', ofUsers: '', name: () => '' })
        .trim()
        .split(/\s+/)
        .join(' '),
    ).toBe(
      'select row(metric, date, sum(events), trim_scale(sum(total)))::text as value from day_counts ' +
        'where account = $1 group by metric, date having sum(events) <> 0 or trim_scale(sum(total)) <> 0',
    );
  });
});
