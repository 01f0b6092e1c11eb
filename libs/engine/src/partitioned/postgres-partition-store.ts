import { formatInstant } from '@laurel/calendar';
import { storedRows, type AreaTable } from '@laurel/kernel';
import { joinObjects } from '../storage/postgres-tables.ts';
import { userKey, type UserRef } from '../folding/document.ts';
import type pg from 'pg';
import { START, changedSequences, type PartitionCheckpoint, type PartitionFailure } from './checkpoint.ts';
import { GatheredCommits } from './gathered-commits.ts';
import { StaleCheckpointError, type PartitionCommit, type PartitionStore } from './partition-store.ts';
import type { StoredState } from './projection.ts';

/** Runs statements with autocommit, each prepared once per connection. */
export interface PreparedStatements {
  query<R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<readonly R[]>;
}

interface CheckpointRow {
  readonly next_offset: string;
  readonly position: string;
  readonly generation: string;
  readonly revision: string;
  readonly received: Readonly<Record<string, number>>;
  readonly sent: Readonly<Record<string, number>>;
  readonly failure: PartitionFailure | null;
}

/** The stored data in one schema. */
export interface StoredSchema {
  /** null for the default schema of the connection. */
  readonly name: string | null;
  /** Columns of `user_states`, one for each user area. Without any, the table does not exist. */
  readonly columns: readonly string[];
  readonly tables: readonly AreaTable[];
}

/**
 * The read models of adjacent areas, in the schemas of their services. A commit is one prepared statement that also
 * moves the checkpoint. Prepared statements are named per connection, so stores that share connections must have the
 * same schemas.
 */
export class PostgresPartitionStore implements PartitionStore {
  readonly #sql: PreparedStatements;
  readonly #dependencies: readonly CommitPart[];
  readonly #readStates: string;
  readonly #statements = new Map<string, string>();
  readonly #gathered = new GatheredCommits((commits) => this.#move(commits));

  /** @param sql connections whose default schema has the checkpoints */
  constructor(sql: PreparedStatements, schemas: readonly StoredSchema[]) {
    this.#sql = sql;
    this.#dependencies = schemas.flatMap((schema, place) => [
      ...(schema.columns.length === 0 ? [] : [statesPart(schema, place)]),
      ...schema.tables.map((table) => tablePart(schema, table, place)),
    ]);
    this.#readStates = readStatesStatement(schemas.filter(({ columns }) => columns.length > 0));
  }

  async read(partition: number): Promise<PartitionCheckpoint> {
    const rows = await this.#sql.query<CheckpointRow>('read-checkpoint', READ_CHECKPOINT, [partition]);
    return rows[0] === undefined ? START : checkpointOf(rows[0]);
  }

  async commit(commit: PartitionCommit): Promise<void> {
    if (!(await this.#gathered.add(commit))) throw new StaleCheckpointError(commit.partition);
  }

  /**
   * Moves several partitions at once. Returns the partitions that moved; nothing is written for the others. A table
   * without changes is left out of the statement: including it costs as much as writing a row, and most commits change
   * few tables.
   */
  async #move(commits: readonly PartitionCommit[]): Promise<ReadonlySet<number>> {
    const added = this.#dependencies.map((part) => addedRows(part, commits));
    const name = `commit ${added.map((rows) => (rows === null ? 0 : 1)).join('')}`;
    const text =
      this.#statements.get(name) ?? commitStatement(this.#dependencies.filter((_, index) => added[index] !== null));
    this.#statements.set(name, text);
    const moved = await this.#sql.query<{ partition: number }>(name, text, [
      JSON.stringify(commits.map(moveRow)),
      ...added.filter((rows) => rows !== null),
    ]);
    return new Set(moved.map(({ partition }) => partition));
  }

  async readPlaces(): Promise<ReadonlyMap<number, Pick<PartitionCheckpoint, 'nextOffset' | 'generation'>>> {
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

  /**
   * The stored columns of those users that have any, by `userKey`.
   * @throws StaleCheckpointError if the partition is not at `before` in the snapshot from which the states are read
   */
  async readStates(
    partition: number,
    users: readonly UserRef[],
    before: PartitionCheckpoint,
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
    const rows = await this.#sql.query<StateRow>('read-states', this.#readStates, [
      partition,
      before.nextOffset,
      before.generation,
      before.revision,
      users.map((user) => user.account),
      users.map((user) => user.subject),
    ]);
    if (!rows[0]?.is_before) throw new StaleCheckpointError(partition);
    return new Map(
      rows.flatMap((row) =>
        row.account === null
          ? []
          : [[userKey({ account: row.account, subject: Number(row.subject) }), { ...row }] as const],
      ),
    );
  }
}

interface StateRow {
  readonly is_before: boolean;
  /** null if none of the users has a state. */
  readonly account: string | null;
  readonly subject: string;
}

const READ_CHECKPOINT = 'select * from input_partitions where partition = $1';

/**
 * Before the first commit there is no row, but the query always returns at least one. The revision distinguishes two
 * checkpoints at the same offset of two topics.
 */
const readStatesStatement = (schemas: readonly StoredSchema[]): string => `
select coalesce(
    (select next_offset = $2::bigint and generation = $3::bigint and revision = $4::text
     from input_partitions where partition = $1::int),
    $2::bigint = 0 and $3::bigint = 0
  ) as is_before, s.*
from (select) one
left join (
  select u.account, u.subject${schemas.map(({ columns }, place) => columns.map((name) => `, s${place}.${name}`).join('')).join('')}
  from unnest($5::text[], $6::bigint[]) as u (account, subject)
  ${schemas.map((schema, place) => `left join ${tableIn(schema, 'user_states')} s${place} using (account, subject)`).join('\n  ')}
  where ${schemas.length === 0 ? 'false' : schemas.map((_, place) => `s${place}.subject is not null`).join(' or ')}
) s on true`;

const tableIn = ({ name }: StoredSchema, table: string): string => (name === null ? table : `${name}.${table}`);

/** A table with the rows that commits add to it. */
interface CommitPart {
  readonly table: string;
  readonly onConflict: string;
  /** Whether the rows have a column with their partition. */
  readonly namesPartition: boolean;
  /** Each row as JSON text. */
  readonly rowsOf: (commit: PartitionCommit) => readonly string[];
}

const statesPart = (schema: StoredSchema, place: number): CommitPart => ({
  table: tableIn(schema, 'user_states'),
  onConflict: `on conflict (account, subject) do update set ${[...schema.columns, 'partition', 'due_at']
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`,
  namesPartition: true,
  rowsOf: ({ changes, partition }) => (changes[place]?.states ?? []).map((state) => stateRow(state, partition)),
});

const tablePart = (schema: StoredSchema, table: AreaTable, place: number): CommitPart => ({
  table: tableIn(schema, table.name),
  onConflict: table.onConflict,
  namesPartition: false,
  rowsOf: ({ changes }) =>
    storedRows(table, changes[place]?.rows.get(table.name) ?? []).map((row) => JSON.stringify(row)),
});

/**
 * The added rows as JSON, or null if there are none. Grouped by partition, unless the rows name their partition
 * themselves.
 */
function addedRows({ rowsOf, namesPartition }: CommitPart, commits: readonly PartitionCommit[]): string | null {
  const added = commits.map((commit) => ({ partition: commit.partition, rows: rowsOf(commit) }));
  const filled = added.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) return null;
  if (namesPartition) return `[${filled.flatMap(({ rows }) => rows).join(',')}]`;
  return `[${filled.map(({ partition, rows }) => `{"partition":${partition},"rows":[${rows.join(',')}]}`).join(',')}]`;
}

/**
 * Every part is joined to `moved`: nothing is written for a partition whose checkpoint has changed, and that partition
 * is not returned. $1: the old and new checkpoint of each partition. From $2 on: the rows for each table, by partition.
 */
const commitStatement = (parts: readonly CommitPart[]): string =>
  `with ${[MOVE_CHECKPOINTS, ...parts.map(insertPart)].join(',')}\nselect partition from moved`;

const insertPart = (part: CommitPart, index: number): string => `
into_${index} as (
  insert into ${part.table} as ${bareName(part.table)}
  select r.* from moved
  ${part.namesPartition ? rowsWithPartition(part, index + 2) : rowsByPartition(part, index + 2)}
  ${part.onConflict}
)`;

/** States are most of the bytes of a commit. Their rows are not nested: Postgres would parse them twice. */
const rowsWithPartition = ({ table }: CommitPart, parameter: number): string =>
  `join json_populate_recordset(null::${table}, $${parameter}::json) r using (partition)`;

const rowsByPartition = ({ table }: CommitPart, parameter: number): string =>
  `join json_to_recordset($${parameter}::json) as added (partition int, rows json) using (partition),
  json_populate_recordset(null::${table}, added.rows) r`;

/** `onConflict` names the table without its schema. */
const bareName = (table: string): string => table.slice(table.indexOf('.') + 1);

/**
 * Inserts a first row where there is none. Rows are locked in the order of their partitions, so that sessions never
 * deadlock. Only changed sequences are passed: there is one for each partition of another topic, and a commit changes
 * few of them.
 */
const MOVE_CHECKPOINTS = `
wanted as materialized (
  select * from json_to_recordset($1::json) as w (
    partition int, was_offset bigint, was_generation bigint, was_revision text,
    next_offset bigint, revision text, received jsonb, sent jsonb, failure jsonb, position bigint
  )
),
begun as (
  insert into input_partitions (partition, next_offset, revision, received, sent, failure, position)
  select partition, next_offset, revision, received, sent, failure, position from wanted
  where was_offset = 0 and was_generation = 0 and was_revision = '' and not exists (
    select from input_partitions present where present.partition = wanted.partition
  )
  order by partition
  on conflict do nothing
  returning partition
),
held as materialized (
  select partition, w.next_offset, w.revision, w.received, w.sent, w.failure, w.position
  from wanted w join input_partitions present using (partition)
  where present.next_offset = w.was_offset and present.generation = w.was_generation and present.revision = w.was_revision
  order by partition for update of present
),
went_on as (
  update input_partitions present
  set next_offset = h.next_offset, revision = h.revision, received = present.received || h.received,
    sent = present.sent || h.sent, failure = h.failure, position = h.position
  from held h where present.partition = h.partition
  returning present.partition
),
moved as (select partition from begun union all select partition from went_on)`;

const moveRow = ({ partition, before, after }: PartitionCommit) => ({
  partition,
  was_offset: before.nextOffset,
  was_generation: before.generation,
  was_revision: before.revision,
  next_offset: after.nextOffset,
  revision: after.revision,
  received: Object.fromEntries(changedSequences(before.received, after.received)),
  sent: Object.fromEntries(changedSequences(before.sent, after.sent)),
  failure: after.failure,
  position: after.position,
});

const stateRow = ({ account, subject, columns, dueAt }: StoredState, partition: number) =>
  joinObjects({ account, subject, partition, due_at: dueAt === null ? null : formatInstant(dueAt) }, columns);

function checkpointOf({
  next_offset,
  position,
  generation,
  revision,
  received,
  sent,
  failure,
}: CheckpointRow): PartitionCheckpoint {
  return {
    nextOffset: Number(next_offset),
    position: Number(position),
    generation: Number(generation),
    revision,
    received: sequences(received),
    sent: sequences(sent),
    failure,
  };
}

const sequences = (stored: Readonly<Record<string, number>>): ReadonlyMap<number, number> =>
  new Map(Object.entries(stored).map(([partition, sequence]) => [Number(partition), sequence]));
