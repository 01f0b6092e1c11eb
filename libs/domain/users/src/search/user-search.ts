import type { SqlReader } from '@laurel/kernel';
import type { FoundUser, UserSearchAnswer, UserSearchQuery } from '@laurel/ports';
import { IS_READY, EXISTS, LONGEST_TERM } from './user-search-sql.ts';

/** Sorts after every text with the same beginning: it is not a character, so no text contains it. */
const LAST = '\u{10ffff}';

/** $1 the text, $2 the kind: names are cut, addresses are not. */
const STATE = `
  select users, case $2 when 'name' then left(user_search_term($1), ${LONGEST_TERM}) else user_search_term($1) end as term,
    ${IS_READY} as ready
  from user_search_progress`;

/** $1: account; $2: kind; $3 and $4: first and last term; $5 and $6: the previous row; $7: number of rows. */
const ROWS = `
  select term, subject from user_search
  where account = $1 and kind = $2 and term >= $3 and term <= $4 and (term, subject) > ($5, $6::bigint)
    and (previous is null or not starts_with(previous, $3))
  order by term, subject limit $7`;

/**
 * Finds users by their exact e-mail address or by the beginning of a word in their name, ignoring case; only users after `after`, ordered
 * by the matched term and then by subject. Takes three statements.
 */
export async function searchUsers(
  sql: SqlReader,
  account: string,
  { kind, text }: UserSearchQuery,
  { after, limit }: { readonly after: FoundUser | null; readonly limit: number },
): Promise<UserSearchAnswer> {
  const [index] = await sql.query<{ there: boolean; current: boolean }>(EXISTS, []);
  if (!index?.there) return { state: 'off' };
  // An index of an earlier release is built again.
  if (!index.current) return { state: 'building', users: 0 };
  const [state] = await sql.query<{ users: string; term: string; ready: boolean }>(STATE, [text, kind]);
  if (!state?.ready) return { state: 'building', users: Number(state?.users ?? 0) };
  const { term } = state;
  if (term === '') return { state: 'ready', found: [] };
  const last = kind === 'email' ? term : `${term}${LAST}`;
  const place = [after?.term ?? '', after?.subject ?? 0];
  const rows = await sql.query<{ term: string; subject: string }>(ROWS, [account, kind, term, last, ...place, limit]);
  return { state: 'ready', found: rows.map((row) => ({ term: row.term, subject: Number(row.subject) })) };
}
