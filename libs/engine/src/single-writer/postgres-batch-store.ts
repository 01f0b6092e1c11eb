import { formatInstant, type Instant } from '@laurel/calendar';
import { NOBODY, type AreaName, type AreaTable, type KeyHash, type SqlReader } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import { PostgresLogReader, type LogWriter, type UsedKey } from '@laurel/event-store';
import { dueUsersIn, type ReadDueUsers } from '../due/due-users.ts';
import type { StoredDocument, UserRef } from '../folding/document.ts';
import type { BatchStore, CommitBatch, InboxMessage, StoredPosition } from '../storage/batch-store.ts';
import { readDocuments } from '../storage/postgres-tables.ts';
import { PostgresCommits } from './postgres-commits.ts';

/** The engine's store in Postgres. */
export class PostgresBatchStore implements BatchStore {
  readonly #writer: LogWriter;
  readonly #sql: SqlReader;
  readonly #log: PostgresLogReader;
  readonly #commits: PostgresCommits;
  /** In the order of the index `user_states_due`, so that a step reads no more than it answers. */
  readonly dueUsers: ReadDueUsers;

  /** @param tables the tables of all areas that run in this process */
  constructor(writer: LogWriter, sql: SqlReader, keys: DataKeys, tables: readonly AreaTable[]) {
    this.#writer = writer;
    this.#sql = sql;
    this.#log = new PostgresLogReader(sql, keys);
    this.#commits = new PostgresCommits(writer, sql, keys, tables);
    this.dueUsers = dueUsersIn(sql, ['user_states']);
  }

  commitBatch(batch: CommitBatch): Promise<void> {
    return this.#commits.commitBatch(batch);
  }

  isCommitted(batch: CommitBatch): Promise<boolean> {
    return this.#commits.isCommitted(batch);
  }

  findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]> {
    return this.#log.findKeys(keys);
  }

  loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>> {
    return readDocuments(this.#sql, users);
  }

  async markAllDue(account: string, configurationVersion: number, at: Instant): Promise<void> {
    const { epoch } = this.#writer;
    const done = await this.#writer.query(
      'due-mark',
      'select from due_marks where account = $1 and configuration_version = $2',
      [account, configurationVersion],
    );
    if (done.length > 0) return;
    // Runs on the writer's own connection, between two commits, so that no two statements lock users in different
    // orders.
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

/** `recorded_at` is infinite before the first record. */
const READ_HEAD = 'select position, (extract(epoch from recorded_at) * 1000)::text as recorded_at from log_head';

const MARKED_AT_A_TIME = 2_000;

/**
 * $1: epoch, $2: account, $3: last user of the previous step, $4: instant, $5: number of users. Returns the last user,
 * or null if there are no more.
 */
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
