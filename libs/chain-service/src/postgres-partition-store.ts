import { formatInstant } from '@laurel/calendar';
import type { AreaTable, StreamedConfiguration } from '@laurel/contracts';
import { userKey, type UserRef } from '@laurel/projections';
import type pg from 'pg';
import { START, type Checkpoint, type PartitionFailure } from './checkpoint.ts';
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

  async commit({ partition, before, after, publications, states, rows }: PartitionCommit): Promise<void> {
    const moved = await this.#sql.query('commit-partition', this.#commit, [
      partition,
      before.nextOffset,
      before.generation,
      JSON.stringify([...before.received]),
      after.nextOffset,
      JSON.stringify(Object.fromEntries(after.received)),
      JSON.stringify(Object.fromEntries(after.sent)),
      after.failure === null ? null : JSON.stringify(after.failure),
      after.position,
      JSON.stringify(publications.map(publicationRow)),
      JSON.stringify(states.map((state) => stateRow(state, partition))),
      ...this.#tables.map((table) => JSON.stringify(rows.get(table.name) ?? [])),
    ]);
    if (moved.length === 0) throw new StaleCheckpointError(partition);
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
      JSON.stringify([...before.received]),
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

/** Whether the row `present` of a partition is where it was: $2 to $4. `received` tells apart two checkpoints at the same offset of two topics. */
const IS_BEFORE = `present.next_offset = $2::bigint and present.generation = $3::bigint
      and present.received = (select coalesce(jsonb_object_agg(p->>0, p->1), '{}') from jsonb_array_elements($4::jsonb) p)`;

/** There is no row before the first commit. Always answers one row at least. */
const READ_STATES = `
select coalesce(
    (select ${IS_BEFORE} from input_partitions present where partition = $1::int),
    $2::bigint = 0 and $3::bigint = 0
  ) as is_before, s.*
from (select) one
left join (
  select s.* from unnest($5::text[], $6::text[]) as u (account, user_id) join user_states s using (account, user_id)
) s on true`;

/**
 * Every part is joined to `moved`, which is empty if the checkpoint is not where it was: then nothing is written and no row
 * comes back. $1 partition, $2 to $4 where it was, $5 to $9 where it goes.
 */
function commitStatement(columns: readonly string[], tables: readonly AreaTable[]): string {
  const states = `
into_states as (
  insert into user_states select r.* from moved, json_populate_recordset(null::user_states, $11::json) r
  on conflict (account, user_id) do update set ${[...columns, 'partition', 'due_at'].map((name) => `${name} = excluded.${name}`).join(', ')}
)`;
  const parts = [
    MOVE_CHECKPOINT,
    `
into_publications as (
  insert into publications select r.* from moved, json_populate_recordset(null::publications, $10::json) r
  on conflict do nothing
)`,
    columns.length === 0 ? NO_STATES : states,
    ...tables.map(
      ({ name, onConflict }, index) => `
into_${name} as (
  insert into ${name} select r.* from moved, json_populate_recordset(null::${name}, $${12 + index}::json) r ${onConflict}
)`,
    ),
  ];
  return `with ${parts.join(',')}\nselect partition from moved`;
}

/** A first row is made where there is none. */
const MOVE_CHECKPOINT = `
moved as (
  insert into input_partitions as present (partition, next_offset, received, sent, failure, position)
  select $1::int, $5::bigint, $6::jsonb, $7::jsonb, $8::jsonb, $9::bigint
  where $2::bigint = 0 and $3::bigint = 0 or exists (select from input_partitions where partition = $1)
  on conflict (partition) do update
    set next_offset = excluded.next_offset, received = excluded.received, sent = excluded.sent, failure = excluded.failure,
        position = excluded.position
    where ${IS_BEFORE}
  returning partition
)`;

const NO_STATES = `no_states as (select $11::json)`;

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
