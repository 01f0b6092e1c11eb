import type { AreaTable } from '@laurel/contracts';

export const COMPLETIONS: AreaTable = { name: 'achievement_completions', onConflict: '' };

/** How many users completed each achievement: one row per partition, summed on read. */
export const COMPLETION_COUNTS: AreaTable = {
  name: 'achievement_counts',
  onConflict:
    'on conflict (account, achievement, partition) do update set completions = achievement_counts.completions + excluded.completions',
  merge: {
    keyOf: (row) => `${String(row['account'])}\0${String(row['achievement'])}\0${String(row['partition'])}`,
    combine: (earlier, later) => ({
      ...later,
      completions: Number(earlier['completions']) + Number(later['completions']),
    }),
  },
  digest: `
    select row(achievement, sum(completions))::text as value
    from achievement_counts where account = $1 group by achievement`,
};
