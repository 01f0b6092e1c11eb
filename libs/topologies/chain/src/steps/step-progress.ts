import type { AreaName, SqlReader } from '@laurel/kernel';
import type { Clock, Step } from '@laurel/ports';
import type { ChainServiceStatus } from '@laurel/schemas';
import type { EventStream, PartitionBounds } from '@laurel/event-stream';

interface PartitionRow {
  readonly partition: number;
  readonly next_offset: string;
  readonly position: string;
  readonly failure: { readonly offset: number; readonly reason: string } | null;
}

/** How far a step has come in its input. */
export interface ServiceProgress extends Pick<ChainServiceStatus, 'service' | 'behind' | 'stopped'> {
  /** Those with messages that it has not applied; none known while the broker does not answer. */
  readonly lagging: readonly LaggingPartition[];
  /** Those of which the broker has deleted messages; likewise. */
  readonly deleted: readonly DeletedMessages[];
}

/** A topic of the chain keeps everything, so somebody has given it a retention or truncated it. */
export interface DeletedMessages {
  readonly partition: number;
  /** Of the first message that is not applied. */
  readonly nextOffset: number;
  /** Of the first message that is still there. */
  readonly start: number;
}

export interface LaggingPartition {
  readonly partition: number;
  /** Of the first message that is not applied. */
  readonly nextOffset: number;
}

export interface ProgressParts {
  readonly sql: SqlReader;
  readonly stream: Pick<EventStream, 'bounds'>;
  readonly clock: Clock;
  /** Those that the services run in, front to back. */
  readonly steps: readonly Step[];
  /** Position of the last record that was published. */
  readonly published: number;
  /** How many each input has. */
  readonly partitions: number;
}

/** How far a step has come, and what that says of its areas. */
export interface StepProgress {
  readonly areas: readonly AreaName[];
  readonly status: ServiceProgress;
  /** Every record up to this one is applied. */
  readonly position: number;
}

/** A broker that does not answer must not keep an operator from seeing the rest. */
const BROKER_LIMIT_MS = 3_000;

/**
 * How far each step has come, read from its checkpoints and from where its input ends. Front to back, and each end before
 * the checkpoints: what is said to be caught up was so.
 */
export async function stepProgress(parts: ProgressParts): Promise<readonly StepProgress[]> {
  const observed: StepProgress[] = [];
  let reachable = true;
  for (const step of parts.steps) {
    const bounds: readonly PartitionBounds[] | null = reachable
      ? await inTime(parts.clock, parts.stream.bounds(step.input))
      : null;
    reachable = bounds !== null;
    observed.push({ areas: step.areas, ...progressOf(step.name, await rowsOf(parts.sql, step), bounds, parts) });
  }
  return observed;
}

function progressOf(
  service: string,
  rows: readonly PartitionRow[],
  bounds: readonly PartitionBounds[] | null,
  { published, partitions: count }: ProgressParts,
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

/** Where it is not known what is still to come, no more is sure than what each partition has applied: without a row, nothing. */
const surePositions = (rows: readonly PartitionRow[], count: number): readonly number[] => [
  ...rows.map((row) => Number(row.position)),
  ...(rows.length < count ? [0] : []),
];

const rowsOf = (sql: SqlReader, { services }: Step): Promise<readonly PartitionRow[]> =>
  readIfThere(
    sql,
    `select partition, next_offset, position, failure from ${services[0]?.schema}.input_partitions order by partition`,
  );

/** Empty while the table is not there: the service that owns it has never been started. */
export async function readIfThere<R extends object>(sql: SqlReader, text: string): Promise<R[]> {
  try {
    return await sql.query<R>(text, []);
  } catch (error) {
    if (['42P01', '3F000'].includes((error as { readonly code?: string }).code ?? '')) return [];
    throw error;
  }
}

/** What a broker says; null: it does not answer. */
export function inTime<T>(clock: Clock, answer: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const cancel = clock.after(BROKER_LIMIT_MS, () => resolve(null));
    answer.then(resolve, () => resolve(null)).finally(cancel);
  });
}
