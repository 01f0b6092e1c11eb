import type { AreaName, SqlReader } from '@laurel/kernel';
import type { Clock, ChainStep } from '@laurel/ports';
import type { ChainServiceStatus } from '@laurel/schemas';
import type { EventStream, PartitionBounds } from '@laurel/event-stream';
import { inTime, readIfPresent } from '@laurel/processes';

interface PartitionRow {
  readonly partition: number;
  readonly next_offset: string;
  readonly position: string;
  readonly failure: { readonly offset: number; readonly reason: string } | null;
}

/** How far a step has come in its input. */
export interface ServiceProgress extends Pick<ChainServiceStatus, 'service' | 'behind' | 'stopped'> {
  /** Partitions with messages that it has not applied; empty while the broker does not answer. */
  readonly lagging: readonly LaggingPartition[];
  /** Partitions of which the broker has deleted messages; empty while the broker does not answer. */
  readonly deleted: readonly DeletedMessages[];
}

/** Topics of the chain keep everything, so somebody has given the topic a retention or truncated it. */
export interface DeletedMessages {
  readonly partition: number;
  /** The offset of the first message that is not applied. */
  readonly nextOffset: number;
  /** The offset of the first message that is still there. */
  readonly start: number;
}

export interface LaggingPartition {
  readonly partition: number;
  /** The offset of the first message that is not applied. */
  readonly nextOffset: number;
}

export interface ProgressDependencies {
  readonly sql: SqlReader;
  readonly stream: Pick<EventStream, 'bounds'>;
  readonly clock: Clock;
  /** The steps that run the services, front to back. */
  readonly steps: readonly ChainStep[];
  /** Position of the last record that was published. */
  readonly published: number;
  /** Number of partitions of each input. */
  readonly partitions: number;
}

/** How far a step and its areas have come. */
export interface StepProgress {
  readonly areas: readonly AreaName[];
  readonly status: ServiceProgress;
  /** The step has applied every record up to this position. */
  readonly position: number;
}

/** A broker that does not answer must not keep an operator from seeing the rest. */
const BROKER_LIMIT_MS = 3_000;

/**
 * How far each step has come, read from the end of its input and from its checkpoints. It reads front to back, and each end before the
 * checkpoints, so a step that it reports as caught up really was.
 */
export async function stepProgress(dependencies: ProgressDependencies): Promise<readonly StepProgress[]> {
  const observed: StepProgress[] = [];
  let reachable = true;
  for (const step of dependencies.steps) {
    const bounds: readonly PartitionBounds[] | null = reachable
      ? await askBroker(dependencies.clock, dependencies.stream.bounds(step.input))
      : null;
    reachable = bounds !== null;
    observed.push({
      areas: step.areas,
      ...progressOf(step.name, await rowsOf(dependencies.sql, step), bounds, dependencies),
    });
  }
  return observed;
}

function progressOf(
  service: string,
  rows: readonly PartitionRow[],
  bounds: readonly PartitionBounds[] | null,
  { published, partitions: count }: ProgressDependencies,
): { readonly status: ServiceProgress; readonly position: number } {
  const stopped = rows.flatMap(({ partition, failure }) => (failure ? [{ partition, ...failure }] : []));
  const partitions = bounds?.map(({ start, end }, partition) => {
    const row = rows.find((one) => one.partition === partition);
    const nextOffset = Number(row?.next_offset ?? 0);
    return {
      partition,
      start,
      nextOffset,
      behind: Math.max(0, end - nextOffset),
      position: Number(row?.position ?? 0),
    };
  });
  const lagging = partitions?.filter(({ behind }) => behind > 0);
  const behind = partitions?.reduce((sum, one) => sum + one.behind, 0) ?? null;
  const positions = lagging?.map((one) => one.position) ?? surePositions(rows, count);
  const position = Math.min(published, ...positions);
  const deleted = partitions?.filter(({ start }) => start > 0) ?? [];
  return {
    status: {
      service,
      behind,
      stopped,
      lagging: lagging ?? [],
      deleted: deleted.map(({ partition, nextOffset, start }) => ({ partition, nextOffset, start })),
    },
    position,
  };
}

/** While the ends are unknown, only the applied position of each partition is certain; a partition without a row has applied nothing. */
const surePositions = (rows: readonly PartitionRow[], count: number): readonly number[] => [
  ...rows.map((row) => Number(row.position)),
  ...(rows.length < count ? [0] : []),
];

const rowsOf = (sql: SqlReader, { services }: ChainStep): Promise<readonly PartitionRow[]> =>
  readIfPresent(
    sql,
    `select partition, next_offset, position, failure from ${services[0]?.schema}.input_partitions order by partition`,
  );

/** The answer of a broker; null if it fails or takes too long. */
export const askBroker = <T>(clock: Clock, answer: Promise<T>): Promise<T | null> =>
  inTime(
    clock,
    BROKER_LIMIT_MS,
    answer.catch(() => null),
  );
