import { formatInstant, type Instant } from '@laurel/calendar';
import {
  NOBODY,
  storedRows,
  type AreaName,
  type AreaTable,
  type KeyHash,
  type Row,
  type SqlReader,
} from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import {
  DuplicateKeyError,
  FencedError,
  moveHead,
  PostgresLogReader,
  READ_CHAIN,
  chainHeadOf,
  chainParameters,
  chained,
  isDuplicateKey,
  isRefusedData,
  moveChain,
  prefixOf,
  rowOfStored,
  storedRecordsOf,
  typeNumberOf,
  type ChainHead,
  type ChainRow,
  type ChainStep,
  type LogWriter,
  type StoredRecord,
  type UsedKey,
} from '@laurel/event-store';
import {
  type BatchStore,
  type CommitBatch,
  type InboxMessage,
  type StoredPosition,
  RefusedDataError,
} from '../storage/batch-store.ts';
import { dueUsersIn, type DueUser } from '../due/due-users.ts';
import type { StoredDocument, UserRef } from '../folding/document.ts';
import {
  CHECKPOINTS,
  DOCUMENTS,
  INBOX,
  checkpointRow,
  documentRows,
  readDocuments,
} from '../storage/postgres-tables.ts';
import { rowArray } from '../storage/row-array.ts';
import { readColumns, type Column } from '../storage/table-columns.ts';

/** The engine's store in Postgres: a batch is one prepared statement, sent with autocommit. */
export class PostgresBatchStore implements BatchStore {
  readonly #writer: LogWriter;
  readonly #sql: SqlReader;
  readonly #keys: DataKeys;
  readonly #log: PostgresLogReader;
  readonly #tables: readonly AreaTable[];
  readonly #commit: string;
  /** As {@link #commit}, but takes rows away before, and forgets users who are erased. */
  readonly #commitTaking: string;
  readonly #replaced: readonly AreaTable[];
  /** The hash of the log as of the last commit; null: to be read. */
  #chain: ChainHead | null = null;
  /** Those of `events` and the tables of areas; null: not read yet. */
  #columns: ReadonlyMap<string, readonly Column[]> | null = null;

  /** @param tables the tables of all areas that run in this process */
  constructor(writer: LogWriter, sql: SqlReader, keys: DataKeys, tables: readonly AreaTable[]) {
    this.#writer = writer;
    this.#sql = sql;
    this.#keys = keys;
    this.#log = new PostgresLogReader(sql, keys);
    this.#tables = tables;
    this.#commit = commitStatement(tables, null);
    this.#replaced = tables.filter(({ replacedBy }) => replacedBy !== undefined);
    this.#commitTaking = commitStatement(tables, this.#replaced);
  }

  findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]> {
    return this.#log.findKeys(keys);
  }

  loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>> {
    return readDocuments(this.#sql, users);
  }

  async commitBatch(batch: CommitBatch): Promise<void> {
    const records = await storedRecordsOf(batch.records, this.#keys);
    this.#columns ??= await readColumns(this.#sql, [EVENTS, ...this.#tables.map(({ name }) => name)]);
    const columns = this.#columns;
    const arrayOf = (table: string, rows: readonly Row[]): string => rowArray(columns.get(table) ?? [], rows);
    const erased = erasedIn(batch);
    let moved: unknown[];
    let step: ChainStep | null = null;
    try {
      step = await this.#hash(batch.after, records);
      const takes = erased.length > 0 || batch.removed.size > 0;
      const [name, statement] = takes ? ['commit-taking-batch', this.#commitTaking] : ['commit-batch', this.#commit];
      moved = await this.#writer.query(name, statement, [
        this.#writer.epoch,
        batch.after,
        batch.after + records.length,
        arrayOf(EVENTS, rowsOf(records, step)),
        documentRows(batch.documents),
        JSON.stringify(batch.checkpoints.map(checkpointRow)),
        JSON.stringify(batch.inbox),
        JSON.stringify(batch.applied),
        ...this.#tables.map((table) => arrayOf(table.name, storedRows(table, batch.rows.get(table.name) ?? []))),
        recordedAtOf(batch),
        ...(step === null ? NOTHING_HASHED : chainParameters(step)),
        ...(takes ? this.#takenBy(batch, erased) : []),
      ]);
    } catch (error) {
      this.#chain = null;
      throw translated(error);
    }
    if (moved.length > 0) this.#chain = step?.head ?? this.#chain;
    else if (!(await this.isCommitted(batch))) throw new FencedError();
    else this.#chain = null;
  }

  /** The parameters of {@link #commitTaking} behind those of every batch. */
  #takenBy({ removed }: CommitBatch, erased: readonly UserRef[]): readonly unknown[] {
    return [
      ...this.#replaced.map(({ name }) => JSON.stringify(removed.get(name) ?? [])),
      erased.map(({ account }) => account),
      erased.map(({ subject }) => subject),
    ];
  }

  /** null: nothing is recorded, or the hash does not reach the end of the log; the next start catches up. */
  async #hash(after: number, records: readonly StoredRecord[]): Promise<ChainStep | null> {
    if (records.length === 0) return null;
    if (this.#chain === null) {
      const [row] = await this.#writer.query<ChainRow>('read-chain', READ_CHAIN, []);
      this.#chain = row === undefined ? null : chainHeadOf(row);
    }
    return this.#chain?.position === after ? chained(this.#chain, records) : null;
  }

  async isCommitted(batch: CommitBatch): Promise<boolean> {
    const [first] = batch.records;
    const found = await this.#writer.query(
      'is-committed',
      'select from log_head h where h.epoch = $1 and h.position >= $2 and ($3::uuid is null or exists (select from events e where e.position = $4 and e.event_id = $3))',
      [this.#writer.epoch, batch.after + batch.records.length, first?.eventId ?? null, batch.after + 1],
    );
    return found.length > 0;
  }

  async markAllDue(account: string, configurationVersion: number, at: Instant): Promise<void> {
    const { epoch } = this.#writer;
    const done = await this.#writer.query(
      'due-mark',
      'select from due_marks where account = $1 and configuration_version = $2',
      [account, configurationVersion],
    );
    if (done.length > 0) return;
    // By the writer's own connection: between two commits, so that no two statements lock users in different orders.
    let last: string | null = String(NOBODY);
    while (last !== null) {
      const step: { last: string | null }[] = await this.#writer.query('mark-due', MARK_DUE, [
        epoch,
        account,
        last,
        formatInstant(at),
        MARKED_AT_A_TIME,
      ]);
      last = step[0]?.last ?? null;
    }
    await this.#writer.query('set-due-mark', SET_DUE_MARK, [epoch, account, configurationVersion]);
  }

  dueUsers(account: string, at: Instant, after: DueUser | null, limit: number): Promise<readonly DueUser[]> {
    return DUE_USERS(this.#sql, account, at, after, limit);
  }

  async readCheckpoints(): Promise<StoredPosition> {
    const [head] = await this.#sql.query<{ position: string; recorded_at: string }>(READ_HEAD, []);
    const rows = await this.#sql.query<{
      area: AreaName;
      position: string;
      state_version: number;
      failure: string | null;
    }>('select * from area_checkpoints', []);
    const checkpoints = new Map(
      rows.map((row) => [
        row.area,
        { position: Number(row.position), stateVersion: row.state_version, failure: row.failure },
      ]),
    );
    return { head: Number(head?.position ?? 0), recordedAt: Number(head?.recorded_at ?? -Infinity), checkpoints };
  }

  async readInbox(area: AreaName, limit: number): Promise<readonly InboxMessage[]> {
    const rows = await this.#sql.query<{ area: AreaName; sequence: string; message: string }>(
      'select * from area_inbox where area = $1 order by sequence limit $2',
      [area, limit],
    );
    return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
  }
}

/** Infinite before the first record. */
const READ_HEAD = 'select position, (extract(epoch from recorded_at) * 1000)::text as recorded_at from log_head';

/** In the order of the index `user_states_due`, so that a step reads no more than it answers. */
const DUE_USERS = dueUsersIn(['user_states']);

const MARKED_AT_A_TIME = 2_000;

/** $1 epoch, $2 account, $3 the last user of the step before, $4 instant, $5 how many; answers the last one, null: no more. */
const MARK_DUE = `
with step as (
  select s.subject from log_head h, user_states s
  where h.epoch = $1 and s.account = $2 and s.subject > $3::bigint order by s.subject limit $5
), marked as (
  update user_states s set due_at = least(s.due_at, $4::timestamptz) from step
  where s.account = $2 and s.subject = step.subject
)
select max(subject) as last from step`;

const SET_DUE_MARK = `
insert into due_marks select $2, $3 from log_head where epoch = $1
on conflict (account) do update set configuration_version = excluded.configuration_version`;

const EVENTS = 'events';

/**
 * Rows that go are gone before others come: what is inserted reads from what was deleted. One key may be among both.
 *
 * Every part is joined to `head`, which is empty for a fenced writer: then nothing is written and no row comes back. The parameters
 * with rows are texts: a rebuild replaces tables, and their row types with them.
 *
 * @param replaced the tables that rows are taken out of; null: none, and nobody is erased
 */
function commitStatement(areaTables: readonly AreaTable[], replaced: readonly AreaTable[] | null): string {
  const insert = ({ name, onConflict }: AreaTable, rows: string): string => `
into_${name} as (
  insert into ${name} select r.* from head, ${rows} r
  ${onConflict}
)`;
  const insertJson = (table: AreaTable, parameter: number): string =>
    insert(table, `json_populate_recordset(null::${table.name}, $${parameter}::json)`);
  const insertArray = (table: AreaTable, parameter: number): string => {
    const rows = `unnest($${parameter}::text::${table.name}[])`;
    return insert(
      table,
      replaced?.includes(table) ? `(select count(*) from out_of_${table.name}) gone, ${rows}` : rows,
    );
  };
  const firstRemoved = 10 + areaTables.length + CHAIN_PARAMETERS;
  const parts = [
    moveHead(`$${9 + areaTables.length}`),
    insertArray({ name: EVENTS, onConflict: '' }, 4),
    insertJson(DOCUMENTS, 5),
    insertJson(CHECKPOINTS, 6),
    insertJson(INBOX, 7),
    `
applied as (
  delete from area_inbox i using head, json_to_recordset($8::json) as a (area text, sequence bigint)
  where i.area = a.area and i.sequence = a.sequence
)`,
    ...(replaced ?? []).map((table, index) => deletion(table, firstRemoved + index)),
    ...areaTables.map((table, index) => insertArray(table, 9 + index)),
    moveChain({ before: '$2', after: '$3', first: 10 + areaTables.length }, 'from head'),
    ...(replaced === null ? [] : [forget(firstRemoved + replaced.length)]),
  ];
  return `with ${parts.join(',')}\nselect position from head`;
}

/**
 * An erasure holds with the event that says so, or neither does: without the row of the directory nobody knows the user, and without the
 * data key in it nobody reads what was sealed. Attributes of events were once recorded in clear text, by no release: they go, too.
 */
const forget = (parameter: number): string => `
forgotten as (
  delete from subjects s using head, unnest($${parameter}::text[], $${parameter + 1}::bigint[]) as e (account, subject)
  where s.account = e.account and s.subject = e.subject
), cleared as (
  update events v set data = nullif(v.data - 'attributes', '{}') from head, effects e
  where e.subject = any($${parameter + 1}::bigint[]) and v.position = e.position
    and v.type = ${typeNumberOf('MetricEventRecorded')} and v.schema_version = 2 and v.data ? 'attributes'
)`;

const erasedIn = ({ records }: CommitBatch): readonly UserRef[] =>
  records.flatMap(({ account, fact }) => (fact.type === 'UserErased' ? [{ account, subject: fact.subject }] : []));

const deletion = ({ name, replacedBy = [] }: AreaTable, parameter: number): string => `
out_of_${name} as (
  delete from ${name} t using head, json_populate_recordset(null::${name}, $${parameter}::json) r
  where ${replacedBy.map((column) => `t.${column} = r.${column}`).join(' and ')} returning 1
)`;

const NOTHING_HASHED = [null, null, '[]'];
const CHAIN_PARAMETERS = NOTHING_HASHED.length;

const rowsOf = (records: readonly StoredRecord[], step: ChainStep | null): readonly Row[] =>
  records.map((record, index) => {
    const row = rowOfStored(record);
    const leaf = step?.leaves[index];
    if (leaf !== undefined) row['hash_prefix'] = prefixOf(leaf);
    return row;
  });

function recordedAtOf({ records }: CommitBatch): string | null {
  const newest = records.at(-1);
  return newest === undefined ? null : formatInstant(newest.recordedAt);
}

function translated(error: unknown): unknown {
  if (isDuplicateKey(error)) return new DuplicateKeyError('an idempotency key of the batch has been used before');
  if (!isRefusedData(error)) return error;
  const { code } = error as { code?: string };
  return new RefusedDataError(`the database refuses a value of the batch (${code})`, { cause: error });
}
