import { counterTable, type AreaTable } from '@laurel/contracts';

export const COMPLETIONS: AreaTable = { name: 'achievement_completions', onConflict: '' };

/** How many users completed each achievement. */
export const COMPLETION_COUNTS = counterTable({
  name: 'achievement_counts',
  key: ['account', 'achievement'],
  counts: ['completions'],
});
