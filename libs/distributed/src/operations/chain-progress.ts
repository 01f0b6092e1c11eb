import { AREAS, TOPICS, type AreaStatus, type ChainServiceStatus, type SqlReader } from '@laurel/contracts';
import type { EventStream } from '@laurel/event-stream';
import { USER_AREAS } from '@laurel/areas';
import { SCHEMAS, SCHEMA_OF_AREA, type SchemaName } from '../schemas/schemas.ts';

interface ObservedService {
  readonly name: string;
  readonly schema: SchemaName;
  readonly input: string;
}

/** In the order of the chain. */
const SERVICES: readonly ObservedService[] = [
  { name: 'streak-service', schema: SCHEMAS.streak, input: TOPICS.log },
  { name: 'achievement-service', schema: SCHEMAS.achievement, input: TOPICS.streaks },
  { name: 'points-service', schema: SCHEMAS.points, input: TOPICS.achievements },
  { name: 'leaderboard-service', schema: SCHEMAS.leaderboard, input: TOPICS.points },
];

interface PartitionRow {
  readonly partition: number;
  readonly next_offset: string;
  readonly position: string;
  readonly failure: { readonly offset: number; readonly reason: string } | null;
}

export interface ChainProgress {
  readonly services: readonly ChainServiceStatus[];
  readonly areas: readonly AreaStatus[];
}

/** How far each service has come, read from its checkpoints and from where its input ends. */
export async function chainProgress(
  sql: SqlReader,
  stream: Pick<EventStream, 'ends'>,
  published: number,
): Promise<ChainProgress> {
  const observed = await Promise.all(SERVICES.map((service) => observe(service, sql, stream, published)));
  let position = published;
  const areas = AREAS.map((area): AreaStatus => {
    const found = observed.find(({ schema }) => schema === SCHEMA_OF_AREA[area]);
    // An area behind one that lags has come no further.
    position = Math.min(position, found?.position ?? 0);
    const [stopped] = found?.status.stopped ?? [];
    const failure = stopped ? `partition ${stopped.partition}, offset ${stopped.offset}: ${stopped.reason}` : null;
    const stateVersion = USER_AREAS.find(({ name }) => name === area)?.stateVersion ?? 1;
    return { area, position, stateVersion, failure };
  });
  return { services: observed.map(({ status }) => status), areas };
}

async function observe(
  { name, schema, input }: ObservedService,
  sql: SqlReader,
  stream: Pick<EventStream, 'ends'>,
  published: number,
) {
  const [rows, ends] = await Promise.all([
    sql.query<PartitionRow>(
      `select partition, next_offset, position, failure from ${schema}.input_partitions order by partition`,
      [],
    ),
    stream.ends(input),
  ]);
  const partitions = ends.map((end, partition) => {
    const row = rows.find((one) => one.partition === partition);
    return { behind: Math.max(0, end - Number(row?.next_offset ?? 0)), position: Number(row?.position ?? 0) };
  });
  const lagging = partitions.filter(({ behind }) => behind > 0);
  const status: ChainServiceStatus = {
    service: name,
    behind: partitions.reduce((sum, { behind }) => sum + behind, 0),
    stopped: rows.flatMap(({ partition, failure }) => (failure ? [{ partition, ...failure }] : [])),
  };
  return { schema, status, position: lagging.reduce((least, one) => Math.min(least, one.position), published) };
}
