import { counterTable, effectsDigest, effectsTable, type AreaTable } from '@laurel/contracts';

export const ACHIEVEMENT_EFFECTS = effectsTable(effectsDigest('achievements'));

export const COMPLETIONS: AreaTable = {
  name: 'achievement_completions',
  onConflict: '',
  digest: ({ ofUsers, name }) => `
    select row($1::text, user_id, ${name('achievements', 'achievement')}, achieved_at, position)::text as value
    from achievement_completions ${ofUsers}`,
};

/** How many users completed each achievement. */
export const COMPLETION_COUNTS = counterTable({
  name: 'achievement_counts',
  key: ['account', 'achievement'],
  counts: ['completions'],
});
