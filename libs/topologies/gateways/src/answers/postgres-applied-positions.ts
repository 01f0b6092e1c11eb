import type { PreparedStatements } from '@laurel/engine';
import { stepsOf, USER_SERVICES } from '@laurel/ports';
import type { AppliedPositions, PartitionProgress } from './applied-positions.ts';

const SELECT_POSITIONS = USER_SERVICES.map(
  ({ schema }, place) =>
    `select ${place} as place, partition, position, sent, failure is not null as is_halted,
       (select step from ${schema}.area_versions order by area limit 1) as step
     from ${schema}.input_partitions where partition = any($1::int[])`,
).join(' union all ');

interface PositionRow {
  readonly place: number;
  readonly partition: number;
  readonly position: string;
  readonly sent: Readonly<Record<string, number>>;
  readonly is_halted: boolean;
  /** Text of the step of which this is the checkpoint; null: its service alone. */
  readonly step?: string | null;
}

/** Reads the checkpoints of the services: one query at a time, for all that is asked while the one before is under way. */
export class PostgresAppliedPositions implements AppliedPositions {
  readonly #sql: PreparedStatements;
  #reading: Promise<unknown> = Promise.resolve();
  #next: { readonly partitions: Set<number>; readonly rows: Promise<readonly PositionRow[]> } | null = null;

  /** @param sql of any schema of the database. */
  constructor(sql: PreparedStatements) {
    this.#sql = sql;
  }

  async read(partition: number): Promise<PartitionProgress> {
    this.#next ??= this.#begin();
    this.#next.partitions.add(partition);
    const rows = (await this.#next.rows).filter((row) => row.partition === partition);
    const positions: number[] = [];
    let sent: PositionRow['sent'] = {};
    while (positions.length < USER_SERVICES.length) {
      const row = rows.find(({ place }) => place === positions.length);
      positions.push(...new Array<number>(servicesIn(row)).fill(Number(row?.position ?? 0)));
      sent = row?.sent ?? {};
    }
    const isHalted = rows.some(({ is_halted }) => is_halted);
    return {
      isHalted,
      positions,
      sentToBoards: new Map(Object.entries(sent).map(([to, number]) => [Number(to), number])),
    };
  }

  /** Begins when the query under way has ended; until then partitions are added to it. */
  #begin() {
    const partitions = new Set<number>();
    const rows = this.#reading.then(() => {
      this.#next = null;
      return this.#sql.query<PositionRow>('applied-positions', SELECT_POSITIONS, [[...partitions]]);
    });
    this.#reading = rows.catch(() => undefined);
    return { partitions, rows };
  }
}

/** Of how many services a checkpoint is. */
const servicesIn = (row: PositionRow | undefined): number =>
  typeof row?.step === 'string' ? (stepsOf(row.step.split(','))[0]?.services.length ?? 1) : 1;
