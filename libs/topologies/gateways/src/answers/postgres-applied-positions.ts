import type { PreparedStatements } from '@laurel/engine';
import { stepsOf, USER_SERVICES } from '@laurel/ports';
import type { AppliedPositions, PartitionProgress } from './applied-positions.ts';
import { PartitionRows } from './partition-rows.ts';

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
  /** The areas of the step with this checkpoint; null if the service is a step of its own. */
  readonly step?: string | null;
}

/** Reads the checkpoints of the services. */
export class PostgresAppliedPositions implements AppliedPositions {
  readonly #rows: PartitionRows<PositionRow>;

  /** @param sql of any schema of the database. */
  constructor(sql: PreparedStatements) {
    this.#rows = new PartitionRows((partitions) =>
      sql.query<PositionRow>('applied-positions', SELECT_POSITIONS, [partitions]),
    );
  }

  async read(partition: number): Promise<PartitionProgress> {
    const rows = await this.#rows.of(partition);
    const positions: number[] = [];
    let sent: PositionRow['sent'] = {};
    while (positions.length < USER_SERVICES.length) {
      const row = rows.find(({ place }) => place === positions.length);
      positions.push(...new Array<number>(servicesIn(row)).fill(Number(row?.position ?? 0)));
      sent = row?.sent ?? {};
    }
    return {
      isHalted: rows.some(({ is_halted }) => is_halted),
      positions,
      sentToBoards: new Map(Object.entries(sent).map(([to, number]) => [Number(to), number])),
    };
  }
}

/** The number of services that share the checkpoint. */
const servicesIn = (row: PositionRow | undefined): number =>
  typeof row?.step === 'string' ? (stepsOf(row.step.split(','))[0]?.services.length ?? 1) : 1;
