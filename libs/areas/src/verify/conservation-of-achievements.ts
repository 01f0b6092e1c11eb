import { compared, elementsOf, named, type Conservation } from './comparison.ts';

export const CONSERVATION_OF_ACHIEVEMENTS: readonly Conservation[] = [
  compared({
    ...{ check: 'achievements', table: 'achievement_completions', key: ['subject', 'number'] },
    what: `'the completion of ' || ${named('achievements', 'number')}`,
    stored: `
      select subject, achievement as number, 'at position ' || position || ', ' || achieved_at as value
      from achievement_completions`,
    expected: `
      select e.subject, (v #>> '{}')::integer as number, 'at position ' || e.position || ', ' || e.occurred_at as value
      from ${elementsOf('achievements')}`,
  }),
  compared({
    ...{ check: 'achievements', table: 'achievement_counts', key: ['achievement'] },
    what: `'the number of completions of ' || achievement`,
    stored: `
      select achievement, sum(completions) as value from achievement_counts
      where account = $1::text group by achievement having sum(completions) <> 0`,
    expected: `
      select ${named('achievements', 'achievement')} as achievement, count(*)::numeric as value
      from achievement_completions c group by c.achievement`,
  }),
];
