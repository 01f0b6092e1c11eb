import {
  type PartitionProjection,
  type PartitionStore,
  PartitionWorker,
  Replay,
  type Routes,
  type StateVersions,
} from '@laurel/engine';
import type { Migration } from '@laurel/contracts';
import type { StreamProducer } from '@laurel/event-stream';
import type { ProcessFrame } from '../process/run-process.ts';
import { openIngestionReads } from '../schemas/open-ingestion-reads.ts';
import type { OpenSchema } from '../schemas/open-schema.ts';
import type { SchemaName } from '../schemas/schemas.ts';

/** A service of the chain, as far as it can be made again from its input. */
export interface ReplayableService {
  readonly name: string;
  readonly schema: SchemaName;
  readonly input: string;
  /** null: the end of the chain. */
  readonly output: string | null;
  readonly migrations: readonly Migration[];
  readonly stateVersions: StateVersions;
  /** Where the service that reads the output has its checkpoints; null: there is none. */
  readonly next: SchemaName | null;
  readonly routes: (partitions: number) => Routes;
  /** The store of the service in a schema. */
  readonly storeIn: (schema: OpenSchema) => PartitionStore;
  readonly openProjection: (schema: OpenSchema, partition: number, partitions: number) => PartitionProjection;
}

/** The replay of a service's input into a schema. @param producer null: nothing is sent */
export function replayOf(
  frame: ProcessFrame,
  service: ReplayableService,
  live: OpenSchema,
  into: OpenSchema,
  producer: StreamProducer | null,
): Replay {
  const { clock } = frame;
  const { partitions } = frame.environment;
  const store = service.storeIn(into);
  const ingestion = openIngestionReads(frame);
  return new Replay({
    partitions,
    live: service.storeIn(live),
    clock,
    openWorker: (partition) =>
      new PartitionWorker({
        partition,
        store,
        openProjection: () => service.openProjection(into, partition, partitions),
        routes: service.routes(partitions),
        ...ingestion,
        producer,
        sendEffects: () => undefined,
        counts: { records: 0, configurations: 0, repeated: 0, batches: 0, sent: 0, effects: 0 },
      }),
  });
}
