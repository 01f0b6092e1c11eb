import type { AreaTable } from '@laurel/contracts';

/** How many users an account knows: one row per partition, summed on read. */
export const USER_COUNTS: AreaTable = {
  name: 'user_counts',
  onConflict: 'on conflict (account, partition) do update set users = user_counts.users + excluded.users',
  merge: {
    keyOf: (row) => `${String(row['account'])}\0${String(row['partition'])}`,
    combine: (earlier, later) => ({ ...later, users: Number(earlier['users']) + Number(later['users']) }),
  },
  digest: 'select row(account, sum(users))::text as value from user_counts where account = $1 group by account',
};

/** The user's clock from a position of the log on: which clock was in force when an event was recorded. */
export const USER_ZONES: AreaTable = { name: 'user_zones', onConflict: '' };
