import type { AreaTable } from '@laurel/kernel';
import { counterTable } from '@laurel/ports';
import { AreaRows } from './area-rows.ts';

const COUNTS: AreaTable = {
  name: 'counts',
  onConflict: '',
  merge: {
    keyOf: (row) => `${String(row['account'])}\0${String(row['partition'])}`,
    combine: (earlier, later) => ({ ...later, users: Number(earlier['users']) + Number(later['users']) }),
  },
};
const AWARDS: AreaTable = { name: 'awards', onConflict: '' };

const one = { account: 'default', partition: 0, users: 1 };

describe('the rows of a batch', () => {
  const rows = new AreaRows();
  rows.add(new Map([['counts', [one]]]));
  rows.add(
    new Map([
      ['counts', [one, { ...one, account: 'other' }]],
      ['awards', [{ id: 'a' }, { id: 'a' }]],
    ]),
  );

  it('are counted as they are added', () => expect(rows.count).toBe(5));

  it('are merged if they have the same key in a table that merges, and otherwise kept in order', () => {
    expect(rows.merged([COUNTS, AWARDS])).toEqual(
      new Map([
        [
          'counts',
          [
            { ...one, users: 2 },
            { ...one, account: 'other' },
          ],
        ],
        ['awards', [{ id: 'a' }, { id: 'a' }]],
      ]),
    );
  });

  it('are merged even if rows with other keys lie between them', () => {
    const scattered = new AreaRows();
    scattered.add(new Map([['counts', [one, { ...one, account: 'other' }, one]]]));
    expect(scattered.merged([COUNTS]).get('counts')).toEqual([
      { ...one, users: 2 },
      { ...one, account: 'other' },
    ]);
  });

  it('are not changed in place by merging', () => {
    const users = counterTable({ name: 'user_counts', key: ['account'], counts: ['users'] });
    const given = [{ ...one }, { ...one }, { ...one }];
    const three = new AreaRows();
    three.add(new Map([['user_counts', given]]));
    expect(three.merged([users]).get('user_counts')).toEqual([{ ...one, users: 3 }]);
    expect(given).toEqual([one, one, one]);
  });

  it('count under the given partition if their table counts per partition', () => {
    expect(rows.merged([COUNTS, AWARDS], 7)).toEqual(
      new Map([
        [
          'counts',
          [
            { ...one, partition: 7, users: 2 },
            { ...one, partition: 7, account: 'other' },
          ],
        ],
        ['awards', [{ id: 'a' }, { id: 'a' }]],
      ]),
    );
  });
});
