import type { AreaTable } from '@laurel/kernel';
import { counterTable, effectsDigest, effectsTable } from '@laurel/ports';

export const ACHIEVEMENT_EFFECTS = effectsTable(effectsDigest('achievements'));

/** When a user completed each achievement. `achieved_at` is null if the completion was revoked. */
export const COMPLETIONS: AreaTable = {
  name: 'achievement_completions',
  onConflict:
    'on conflict (subject, achievement) do update set position = excluded.position, achieved_at = excluded.achieved_at',
  merge: {
    keyOf: ({ subject, achievement }) => `${subject as number} ${achievement as number}`,
    combine: (_earlier, later) => later,
  },
  digest: ({ ofUsers, name }) => `
    select row($1::text, user_id, ${name('achievements', 'achievement')}, achieved_at, position)::text as value
    from achievement_completions ${ofUsers}`,
};

/** The number of users who completed each achievement. */
export const COMPLETION_COUNTS = counterTable({
  name: 'achievement_counts',
  key: ['account', 'achievement'],
  counts: ['completions'],
});
