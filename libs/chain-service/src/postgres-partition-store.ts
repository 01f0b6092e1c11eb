import { formatInstant } from '@laurel/calendar';
import type { AreaTable, StreamedConfiguration } from '@laurel/contracts';
import { userKey, type UserRef } from '@laurel/projections';
import type pg from 'pg';
import { START, type Checkpoint, type PartitionFailure } from './checkpoint.ts';
import { GatheredCommits } from './gathered-commits.ts';
import { StaleCheckpointError, type PartitionCommit, type PartitionStore } from './partition-store.ts';

/** Runs statements with autocommit, each prepared once per connection. */
export interface PreparedStatements {
  query<R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<readonly R[]>;
}

interface CheckpointRow {
  readonly next_offset: string;
  readonly position: string;
  readonly generation: string;
  readonly received: Readonly<Record<string, number>>;
  readonly sent: Readonly<Record<string, number>>;
  readonly failure: PartitionFailure | null;
}

/** A service's read models in its own schema: a commit is one prepared statement, joined to the move of the checkpoint. */
export class PostgresPartitionStore implements PartitionStore {
  readonly #sql: PreparedStatements;
  readonly #tables: readonly AreaTable[];
  readonly #commit: string;
  readonly #gathered = new GatheredCommits((commits) => this.#move(commits));

  /** @param columns of `user_states`, one per user area of the service; none: it has no such table */
  constructor(sql: PreparedStatements, columns: readonly string[], tables: readonly AreaTable[]) {
    this.#sql = sql;
    this.#tables = tables;
    this.#commit = commitStatement(columns, tables);
  }

  async read(partition: number): Promise<Checkpoint> {
    const rows = await this.#sql.query<CheckpointRow>('read-checkpoint', READ_CHECKPOINT, [partition]);
    return rows[0] === undefined ? START : checkpointOf(rows[0]);
  }

  async commit(commit: PartitionCommit): Promise<void> {
    if (!(await this.#gathered.add(commit))) throw new StaleCheckpointError(commit.partition);
  }

  /** Of several partitions at once. Answers which have moved; of the others nothing was written. */
  async #move(commits: readonly PartitionCommit[]): Promise<ReadonlySet<number>> {
    const rowsOf = (rows: (commit: PartitionCommit) => readonly unknown[]): string =>
      JSON.stringify(commits.map((commit) => ({ partition: commit.partition, rows: rows(commit) })));
    const moved = await this.#sql.query<{ partition: number }>('commit-partitions', this.#commit, [
      JSON.stringify(commits.map(moveRow)),
      rowsOf(({ publications }) => publications.map(publicationRow)),
      rowsOf(({ states, partition }) => states.map((state) => stateRow(state, partition))),
      ...this.#tables.map((table) => rowsOf(({ rows }) => rows.get(table.name) ?? [])),
    ]);
    return new Set(moved.map(({ partition }) => partition));
  }

  async readPlaces(): Promise<ReadonlyMap<number, Pick<Checkpoint, 'nextOffset' | 'generation'>>> {
    const rows = await this.#sql.query<{ partition: number; next_offset: string; generation: string }>(
      'read-places',
      'select partition, next_offset, generation from input_partitions',
      [],
    );
    return new Map(
      rows.map(({ partition, next_offset, generation }) => [
        partition,
        { nextOffset: Number(next_offset), generation: Number(generation) },
      ]),
    );
  }

  async readPublications(): Promise<readonly StreamedConfiguration[]> {
    const rows = await this.#sql.query<{ account: string; version: number; document: unknown; published_at: Date }>(
      'read-publications',
      'select * from publications order by account, version, published_at',
      [],
    );
    return rows.map(({ account, version, document, published_at }) => ({
      kind: 'configuration',
      account,
      version,
      document,
      publishedAt: published_at.getTime(),
    }));
  }

  /**
   * The stored columns of those of the users that have any, by `userKey`.
   * @throws StaleCheckpointError if the partition is not at `before`, at the very moment of which the states are
   */
  async readStates(
    partition: number,
    users: readonly UserRef[],
    before: Checkpoint,
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
    const rows = await this.#sql.query<StateRow>('read-states', READ_STATES, [
      partition,
      before.nextOffset,
      before.generation,
      JSON.stringify(Object.fromEntries(before.received)),
      users.map((user) => user.account),
      users.map((user) => user.userId),
    ]);
    if (!rows[0]?.is_before) throw new StaleCheckpointError(partition);
    return new Map(
      rows.flatMap((row) =>
        row.account === null ? [] : [[userKey({ account: row.account, userId: row.user_id }), { ...row }] as const],
      ),
    );
  }
}

interface StateRow {
  readonly is_before: boolean;
  /** null: none of the users has a state. */
  readonly account: string | null;
  readonly user_id: string;
}

const READ_CHECKPOINT = 'select * from input_partitions where partition = $1';

/** There is no row before the first commit. Always answers one row at least. `received` tells apart two checkpoints at the same offset of two topics. */
const READ_STATES = `
select coalesce(
    (select next_offset = $2::bigint and generation = $3::bigint and received = $4::jsonb
     from input_partitions where partition = $1::int),
    $2::bigint = 0 and $3::bigint = 0
  ) as is_before, s.*
from (select) one
left join (
  select s.* from unnest($5::text[], $6::text[]) as u (account, user_id) join user_states s using (account, user_id)
) s on true`;

/**
 * Every part is joined to `moved`: of a partition whose checkpoint is not where it was nothing is written, and it does not
 * come back. $1 where each partition was and where it goes; each of the others by partition: $2 publications, $3 states, then
 * the rows of the tables.
 */
function commitStatement(columns: readonly string[], tables: readonly AreaTable[]): string {
  const updates = [...columns, 'partition', 'due_at'].map((name) => `${name} = excluded.${name}`);
  const parts = [
    MOVE_CHECKPOINTS,
    insertInto('publications', 2, 'on conflict do nothing'),
    columns.length === 0
      ? NO_STATES
      : insertInto('user_states', 3, `on conflict (account, user_id) do update set ${updates.join(', ')}`),
    ...tables.map(({ name, onConflict }, index) => insertInto(name, 4 + index, onConflict)),
  ];
  return `with ${parts.join(',')}\nselect partition from moved`;
}

const insertInto = (table: string, parameter: number, onConflict: string): string => `
into_${table} as (
  insert into ${table}
  select r.* from moved
  join json_to_recordset($${parameter}::json) as added (partition int, rows json) using (partition),
  json_populate_recordset(null::${table}, added.rows) r
  ${onConflict}
)`;

/** A first row is made where there is none. */
const MOVE_CHECKPOINTS = `
wanted as materialized (
  select * from json_to_recordset($1::json) as w (
    partition int, was_offset bigint, was_generation bigint, was_received jsonb,
    next_offset bigint, received jsonb, sent jsonb, failure jsonb, position bigint
  )
),
begun as (
  insert into input_partitions (partition, next_offset, received, sent, failure, position)
  select partition, next_offset, received, sent, failure, position from wanted
  where was_offset = 0 and was_generation = 0 and not exists (
    select from input_partitions present where present.partition = wanted.partition
  )
  on conflict do nothing
  returning partition
),
went_on as (
  update input_partitions present
  set next_offset = w.next_offset, received = w.received, sent = w.sent, failure = w.failure, position = w.position
  from wanted w
  where present.partition = w.partition and present.next_offset = w.was_offset
    and present.generation = w.was_generation and present.received = w.was_received
  returning present.partition
),
moved as (select partition from begun union all select partition from went_on)`;

const NO_STATES = `no_states as (select $3::json)`;

const moveRow = ({ partition, before, after }: PartitionCommit) => ({
  partition,
  was_offset: before.nextOffset,
  was_generation: before.generation,
  was_received: Object.fromEntries(before.received),
  next_offset: after.nextOffset,
  received: Object.fromEntries(after.received),
  sent: Object.fromEntries(after.sent),
  failure: after.failure,
  position: after.position,
});

const publicationRow = ({ account, version, document, publishedAt }: StreamedConfiguration) => ({
  account,
  version,
  document,
  published_at: formatInstant(publishedAt),
});

const stateRow = ({ account, userId, columns, dueAt }: PartitionCommit['states'][number], partition: number) => ({
  account,
  user_id: userId,
  partition,
  ...columns,
  due_at: dueAt === null ? null : formatInstant(dueAt),
});

function checkpointOf({ next_offset, position, generation, received, sent, failure }: CheckpointRow): Checkpoint {
  return {
    nextOffset: Number(next_offset),
    position: Number(position),
    generation: Number(generation),
    received: sequences(received),
    sent: sequences(sent),
    failure,
  };
}

const sequences = (stored: Readonly<Record<string, number>>): ReadonlyMap<number, number> =>
  new Map(Object.entries(stored).map(([partition, sequence]) => [Number(partition), sequence]));
