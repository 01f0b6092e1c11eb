import { AREAS, type AreaName, type SqlReader } from '@laurel/kernel';
import type { Clock, Step } from '@laurel/ports';
import type { AreaStatus, ChainServiceStatus } from '@laurel/schemas';
import type { EventStream, PartitionBounds } from '@laurel/event-stream';
import { USER_AREAS } from '@laurel/all-areas';
import { LEADERBOARDS_STATE_VERSION } from '@laurel/leaderboards';

interface PartitionRow {
  readonly partition: number;
  readonly next_offset: string;
  readonly position: string;
  readonly failure: { readonly offset: number; readonly reason: string } | null;
}

export interface ChainProgress {
  readonly services: readonly ServiceProgress[];
  readonly areas: readonly AreaStatus[];
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

/** A broker that does not answer must not keep an operator from seeing the rest. */
const BROKER_LIMIT_MS = 3_000;

/**
 * How far each step has come, read from its checkpoints and from where its input ends. Front to back, and each end before
 * the checkpoints: what is said to be caught up was so.
 */
export async function chainProgress(parts: ProgressParts): Promise<ChainProgress> {
  const observed: (ReturnType<typeof progressOf> & { readonly applies: readonly AreaName[] })[] = [];
  let reachable = true;
  for (const step of parts.steps) {
    const bounds: readonly PartitionBounds[] | null = reachable
      ? await inTime(parts.clock, parts.stream.bounds(step.input))
      : null;
    reachable = bounds !== null;
    observed.push({
      applies: step.areas,
      ...progressOf(step.name, await rowsOf(parts.sql, step), bounds, parts),
    });
  }
  let position = parts.published;
  const areas = AREAS.map((area): AreaStatus => {
    const found = observed.find(({ applies }) => applies.includes(area));
    // An area behind one that lags has come no further.
    position = Math.min(position, found?.position ?? 0);
    const [stopped] = found?.status.stopped ?? [];
    const failure = stopped ? `partition ${stopped.partition}, offset ${stopped.offset}: ${stopped.reason}` : null;
    return { area, position, stateVersion: STATE_VERSIONS.get(area) ?? 0, failure };
  });
  return { services: observed.map(({ status }) => status), areas };
}

const STATE_VERSIONS: ReadonlyMap<AreaName, number> = new Map<AreaName, number>([
  ...USER_AREAS.map(({ name, stateVersion }) => [name, stateVersion] as const),
  ['leaderboards', LEADERBOARDS_STATE_VERSION],
]);

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
