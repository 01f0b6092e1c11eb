import { askBroker, type ProgressDependencies } from '@laurel/chain';
import type { SqlReader } from '@laurel/kernel';
import { TOPICS } from '@laurel/ports';
import type { EventStream } from '@laurel/event-stream';
import { countMembers, type ProcessFrame, readIfPresent, recordedSteps, SCHEMAS } from '@laurel/processes';
import { lastingFailure, type ComponentHealth } from '@laurel/runtime';
import { chainProgress } from './chain-progress.ts';
import { STATE_VERSIONS } from './state-versions.ts';
import { ChainWatch, QUERY_GATEWAY, type ChainReading } from './chain-watch.ts';

export interface WatchedDatabase {
  /** Any schema of the database. */
  readonly sql: SqlReader;
  /** The position of the newest record of the log; null if this process cannot read the log. */
  readonly head: (() => Promise<number>) | null;
}

/** Watches the chain while the process runs. */
export function watchChain(
  { stream, clock, environment: { partitions }, logger, shutdown }: ProcessFrame,
  database: WatchedDatabase,
): ChainWatch {
  const watch = new ChainWatch({
    read: () => readChain({ ...database, stream, clock, partitions }),
    clock,
    onFailure: lastingFailure(logger, clock, 'could not read the checkpoints of the services; retrying'),
  });
  watch.start();
  shutdown.register('chain watch', () => Promise.resolve(watch.stop()));
  return watch;
}

interface ReadingDependencies
  extends WatchedDatabase, Omit<ProgressDependencies, 'published' | 'sql' | 'steps' | 'stream'> {
  readonly stream: Pick<EventStream, 'bounds' | 'copies'>;
}

/** Reads the head before the published position, which it is compared with. */
async function readChain({ sql, head, ...parts }: ReadingDependencies): Promise<ChainReading> {
  const end = head === null ? null : await head();
  const published = await readPublished(sql);
  const steps = await recordedSteps(sql);
  const progress = await chainProgress({ sql, ...parts, published, steps, stateVersions: STATE_VERSIONS });
  const services = [...progress.services.map(({ service }) => service), QUERY_GATEWAY];
  const answers = progress.services.every(({ behind }) => behind !== null);
  const copies = answers ? await askBroker(parts.clock, parts.stream.copies(Object.values(TOPICS))) : null;
  return { ...progress, published, head: end, copies, members: await countMembers(sql, services) };
}

async function readPublished(sql: SqlReader): Promise<number> {
  const [row] = await readIfPresent<{ position: string }>(
    sql,
    `select position from ${SCHEMAS.ingestion}.relay_checkpoint`,
  );
  return Number(row?.position ?? 0);
}

/**
 * Always `ok`: a gateway records and reads without the services, and removing it would only lose events. The detail lists the problems, which make
 * `/admin/v1/status` not ready.
 */
export const servicesHealth = ({ latest }: Pick<ChainWatch, 'latest'>): ComponentHealth => ({
  ok: true,
  detail: { problems: latest?.problems ?? [] },
});
