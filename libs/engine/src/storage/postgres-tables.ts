import { formatInstant } from '@laurel/calendar';
import type { AreaName, AreaTable, Migration, Row, SqlReader } from '@laurel/kernel';
import { USER_AREA_NAMES, userKey, type StoredDocument, type UserRef } from '../folding/document.ts';
import type { Checkpoint, CommitBatch } from './batch-store.ts';

export const DOCUMENTS: AreaTable = {
  name: 'user_states',
  onConflict: `on conflict (account, subject) do update
    set ${[...USER_AREA_NAMES, 'due_at'].map((column) => `${column} = excluded.${column}`).join(', ')}`,
};

/**
 * An index that finds a state by its subject in one page, however many users there are. The primary key needs three
 * pages with a million users, too many for a read of a hundred users. Subjects do not change, so only a user's first
 * row writes to this index.
 */
export const statesBySubject = (name: string): Migration => ({
  name,
  sql: 'create index user_states_subject on user_states using hash (subject)',
});

export const CHECKPOINTS: AreaTable = {
  name: 'area_checkpoints',
  onConflict: `on conflict (area) do update
    set position = excluded.position, state_version = excluded.state_version, failure = excluded.failure`,
};

export const INBOX: AreaTable = { name: 'area_inbox', onConflict: '' };

/** Inserts rows, given as a JSON array in $1, into a table with the columns of `form`. */
export const insertRows = (table: string, form: string, onConflict: string): string =>
  `insert into ${table} select r.* from json_populate_recordset(null::${form}, $1::json) r ${onConflict}`;

/** Rows of {@link DOCUMENTS} as a JSON array. */
export const documentRows = (changes: CommitBatch['documents']): string => `[${changes.map(documentRow).join(',')}]`;

const documentRow = ({ account, subject, document, dueAt }: CommitBatch['documents'][number]): string =>
  joinObjects({ account, subject, due_at: dueAt === null ? null : formatInstant(dueAt) }, document);

/** Joins the members of both into one JSON object. @param encoded JSON text of an object with at least one member */
export const joinObjects = (members: Row, encoded: string): string =>
  `${JSON.stringify(members).slice(0, -1)},${encoded.slice(1)}`;

export const checkpointRow = ({ area, position, stateVersion, failure }: Checkpoint & { area: AreaName }): Row => ({
  area,
  position,
  state_version: stateVersion,
  failure,
});

/** The documents of those of the users that have one, by `userKey`. */
export async function readDocuments(
  sql: SqlReader,
  users: readonly UserRef[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const rows = await sql.query<{ account: string; subject: string } & StoredDocument>(
    `select s.* from unnest($1::text[], $2::bigint[]) as u (account, subject) join user_states s using (account, subject)`,
    [users.map((user) => user.account), users.map((user) => user.subject)],
  );
  return new Map(rows.map((row) => [userKey({ account: row.account, subject: Number(row.subject) }), row]));
}
