import type { AreaTable } from '@laurel/kernel';

/** Rows that merge: `key text`, `n bigint`. */
export const COUNTS: AreaTable = {
  name: 'counts',
  onConflict: 'on conflict (key) do update set n = counts.n + excluded.n',
  merge: {
    keyOf: ({ key }) => String(key),
    combine: (earlier, later) => ({ ...later, n: Number(earlier['n']) + Number(later['n']) }),
  },
};

/** Rows that are only appended. */
export const NOTES: AreaTable = { name: 'notes', onConflict: '' };
