import { compared, CORRECTIONS, elementsOf, ERASED, named, type Conservation } from './comparison.ts';

/** A correction may move a completion to another event, so only its existence is compared. */
const IS_CORRECTED = `subject in (select subject from (${CORRECTIONS}) c)`;

export const CONSERVATION_OF_ACHIEVEMENTS: readonly Conservation[] = [
  compared('achievements', 'achievement_completions', ['subject', 'number'], {
    what: `'the completion of ' || ${named('achievements', 'number')}`,
    stored: `
      select subject, achievement as number,
        case when ${IS_CORRECTED} then 'there' else 'at position ' || position || ', ' || achieved_at end as value
      from achievement_completions where achieved_at is not null`,
    expected: `
      select subject, abs(change) as number,
        case when ${IS_CORRECTED} then 'there' else 'at position ' || position || ', ' || occurred_at end as value
      from (
        select distinct on (e.subject, abs((v #>> '{}')::integer)) e.subject, e.position, e.occurred_at, (v #>> '{}')::integer as change
        from ${elementsOf('achievements')}
        order by e.subject, abs((v #>> '{}')::integer), e.position desc, place desc
      ) last
      where change > 0`,
  }),
  compared('achievements', 'achievement_counts', ['achievement'], {
    what: `'the number of completions of ' || achievement`,
    stored: `
      select achievement, sum(completions) as value from achievement_counts
      where account = $1::text group by achievement having sum(completions) <> 0`,
    expected: `
      select ${named('achievements', 'achievement')} as achievement, count(*)::numeric as value
      from achievement_completions c
      where achieved_at is not null and subject not in (${ERASED}) group by c.achievement`,
  }),
];
