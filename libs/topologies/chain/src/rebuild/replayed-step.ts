import {
  type PartitionProjection,
  type PartitionStore,
  PartitionWorker,
  ChainReplay,
  type Routes,
} from '@laurel/engine';
import type { ChainStep } from '@laurel/ports';
import type { StreamProducer } from '@laurel/event-stream';
import {
  openIngestionReads,
  type OpenPlace,
  type ProcessFrame,
  type SchemaName,
  type StoredStep,
} from '@laurel/processes';

/** A step of the chain that can be replayed from its input. */
export interface ReplayableStep extends Omit<ChainStep, 'output'>, StoredStep {
  /** null at the end of the chain. */
  readonly output: string | null;
  /** The schema with the checkpoints of the step that reads the output; null at the end of the chain. */
  readonly next: SchemaName | null;
  readonly routes: (partitions: number) => Routes;
  /** The store of the step in some schemas. */
  readonly storeIn: (place: OpenPlace) => PartitionStore;
  readonly openProjection: (place: OpenPlace, partition: number, partitions: number) => PartitionProjection;
}

export interface ReplayOptions {
  readonly live: OpenPlace;
  /** The schemas that the replay writes. */
  readonly into: OpenPlace;
  /** null if nothing is to be sent. */
  readonly producer: Pick<StreamProducer, 'send'> | null;
}

/** The replay of a step's input into some schemas. */
export function replayOf(
  frame: ProcessFrame,
  step: ReplayableStep,
  { live, into, producer }: ReplayOptions,
): ChainReplay {
  const { clock } = frame;
  const { partitions } = frame.environment;
  const store = step.storeIn(into);
  const ingestion = openIngestionReads(frame, step);
  return new ChainReplay({
    partitions,
    live: step.storeIn(live),
    clock,
    openWorker: (partition) =>
      new PartitionWorker({
        partition,
        store,
        openProjection: () => step.openProjection(into, partition, partitions),
        routes: step.routes(partitions),
        services: step.services.length,
        ...ingestion,
        producer,
        sendEffects: () => undefined,
        counts: { records: 0, configurations: 0, repeated: 0, batches: 0, sent: 0, effects: 0 },
      }),
  });
}
