import type { Migration } from '@laurel/kernel';
import type { PreparedStatements } from '../postgres-partition-store.ts';

/** How far the log has been published. */
export interface RelayCheckpoint {
  /** Position of the last record whose messages the broker has acknowledged. */
  readonly position: number;
  /** The last sequence assigned for each partition. */
  readonly sent: ReadonlyMap<number, number>;
}

/** Where the relay stores its checkpoint. */
export interface RelayStore {
  read(): Promise<RelayCheckpoint>;
  /** @throws StaleRelayError if the stored checkpoint is not `before` any more: another relay publishes. */
  save(before: RelayCheckpoint, after: RelayCheckpoint): Promise<void>;
}

export class StaleRelayError extends Error {
  override readonly name = 'StaleRelayError';
  constructor() {
    super('another relay publishes the log');
  }
}

export const relayMigrations: readonly Migration[] = [
  {
    name: '0202-relay',
    sql: `
create table relay_checkpoint (
  one      boolean primary key default true check (one),
  position bigint not null,
  sent     jsonb not null
) with (fillfactor = 50);
insert into relay_checkpoint (position, sent) values (0, '{}');
`,
  },
  {
    name: '0205-subjects',
    sql: `
-- The log names users by subjects from here on, and is published from its beginning to topics of their own.
update relay_checkpoint set position = 0, sent = '{}';
`,
  },
];

export class PostgresRelayStore implements RelayStore {
  readonly #sql: PreparedStatements;

  constructor(sql: PreparedStatements) {
    this.#sql = sql;
  }

  async read(): Promise<RelayCheckpoint> {
    const [row] = await this.#sql.query<{ position: string; sent: Readonly<Record<string, number>> }>(
      'read-relay',
      'select position, sent from relay_checkpoint',
      [],
    );
    if (row === undefined) throw new Error('the relay has no checkpoint: the schema is not complete');
    const sent = Object.entries(row.sent).map(([partition, sequence]) => [Number(partition), sequence] as const);
    return { position: Number(row.position), sent: new Map(sent) };
  }

  async save(before: RelayCheckpoint, after: RelayCheckpoint): Promise<void> {
    const moved = await this.#sql.query(
      'save-relay',
      'update relay_checkpoint set position = $2, sent = $3 where position = $1 returning position',
      [before.position, after.position, JSON.stringify(Object.fromEntries(after.sent))],
    );
    if (moved.length === 0) throw new StaleRelayError();
  }
}
