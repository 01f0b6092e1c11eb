import { NOBODY, type Configuration, type Subject } from '@laurel/kernel';
import { repeat, type CancelTimer, type Clock, type DataKeys } from '@laurel/ports';
import type {
  Beginnings,
  EventStream,
  PartitionBatch,
  PartitionHandler,
  StreamConsumer,
  StreamProducer,
} from '@laurel/event-stream';
import type { PartitionCheckpoint } from './checkpoint.ts';
import type { DueReview } from './due-review.ts';
import { EffectsSender } from './effects-sender.ts';
import type { PartitionStore } from './partition-store.ts';
import type { RecordedVerdicts } from '@laurel/event-store';
import { PartitionWorker, type WorkerCounts } from './partition-worker.ts';
import type { PartitionProjection } from './projection.ts';
import type { Publications } from './publications.ts';
import type { Routes } from './routes.ts';

export interface ChainServiceDependencies {
  /** The consumer group, such as `laurel.points-service`. */
  readonly group: string;
  readonly input: { readonly topic: string; readonly partitions: number };
  readonly stream: EventStream;
  readonly store: PartitionStore;
  readonly publications: Publications;
  readonly openProjection: (partition: number) => PartitionProjection;
  readonly routes: Routes;
  /** Keys to open personal fields, which arrive sealed. */
  readonly dataKeys: DataKeys;
  /** See `ApplyingDependencies.verdicts`. */
  readonly verdicts?: Pick<RecordedVerdicts, 'addedTo'>;
  readonly clock: Clock;
  /** Called with the partitions that this instance owns from now on. */
  readonly onAssigned?: (partitions: readonly number[]) => Promise<void>;
  /** Reviews of areas that belong to a user: one for each schema with such areas. */
  readonly dueReviews?: readonly DueReview[];
  /** See `ApplyingDependencies.services`. */
  readonly services?: number;
  /** Called when the state of a partition in memory may differ from the stored state. */
  readonly onForgotten?: (partition: number) => void;
  readonly onEvent: (event: ChainServiceEvent) => void;
}

export type ChainServiceEvent =
  | { readonly type: 'assigned'; readonly partitions: readonly number[] }
  | { readonly type: 'stopped'; readonly partition: number; readonly error: unknown }
  | { readonly type: 'effects-lost'; readonly error: unknown }
  | { readonly type: 'look-failed'; readonly error: unknown };

/** Partitions processed at a time. Outputs of the same turn are sent and committed together. */
const CONCURRENCY = 16;
const LOOK_MS = 2_000;

/** One service of the chain: reads its topic, applies each message exactly once, and passes on the result. */
export class ChainService implements PartitionHandler {
  readonly counts: WorkerCounts = { records: 0, configurations: 0, repeated: 0, batches: 0, sent: 0, effects: 0 };
  readonly #dependencies: ChainServiceDependencies;
  readonly #producer: StreamProducer;
  readonly #workers = new Map<number, PartitionWorker>();
  readonly #troubles = new Map<number, string>();
  readonly #turns = new Map<number, Promise<unknown>>();
  #consumer: StreamConsumer | null = null;
  #cancelLook: CancelTimer = () => undefined;
  #closed = false;
  readonly #effects: EffectsSender;

  private constructor(dependencies: ChainServiceDependencies, producer: StreamProducer) {
    this.#dependencies = dependencies;
    this.#producer = producer;
    this.#effects = new EffectsSender(producer, (error) => dependencies.onEvent({ type: 'effects-lost', error }));
  }

  static async start(dependencies: ChainServiceDependencies): Promise<ChainService> {
    const producer = await dependencies.stream.openProducer();
    const service = new ChainService(dependencies, producer);
    await dependencies.publications.load();
    const { input, group, stream } = dependencies;
    service.#consumer = await stream.consume(
      { topic: input.topic, group, from: 'beginning', concurrency: CONCURRENCY },
      service,
    );
    service.#lookAround();
    return service;
  }

  get group(): string {
    return this.#dependencies.group;
  }

  /** The partitions that this instance owns, or null while it is not in the group. */
  get assigned(): readonly number[] | null {
    return this.#consumer?.assigned ?? null;
  }

  /** Why partitions of this instance are stopped, by partition. */
  get troubles(): ReadonlyMap<number, string> {
    return this.#troubles;
  }

  /** How far the partition's state in memory has come, or null if only the stored checkpoint counts. */
  checkpointOf(partition: number): PartitionCheckpoint | null {
    return this.#workers.get(partition)?.checkpoint ?? null;
  }

  get consumer(): StreamConsumer | null {
    return this.#consumer;
  }

  /** Begins at the stored checkpoints, because the group's own offsets may be ahead of them. */
  async onAssigned(partitions: readonly number[]): Promise<Beginnings> {
    for (const partition of [...this.#workers.keys()]) if (!partitions.includes(partition)) this.#release(partition);
    for (const worker of this.#workers.values()) worker.reassigned();
    const places = await this.#forgetMoved();
    await this.#dependencies.onAssigned?.(partitions);
    this.#dependencies.onEvent({ type: 'assigned', partitions });
    return new Map(partitions.map((partition) => [partition, places.get(partition)?.nextOffset ?? 0]));
  }

  async onBatch(batch: PartitionBatch): Promise<number> {
    const { partition } = batch;
    let worker: PartitionWorker | null = null;
    try {
      const next = await this.#inTurn(partition, () => (worker = this.#workerOf(partition)).onBatch(batch));
      this.#troubles.delete(partition);
      return next;
    } catch (error) {
      // If the partition was reassigned meanwhile, the trouble belongs to another process.
      if (this.#workers.get(partition) === worker)
        this.#troubles.set(partition, error instanceof Error ? error.message : String(error));
      this.#dependencies.onEvent({ type: 'stopped', partition, error });
      throw error;
    }
  }

  /** Finishes running work, leaves the group, and sends what is still unsent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelLook();
    await this.#consumer?.close();
    await this.#effects.idle();
    await this.#producer.close();
  }

  /**
   * Checks periodically, without waiting for a message, for example whether a rebuild has replaced the stored states.
   * The next commit would notice that; reads would return old states.
   */
  #lookAround(): void {
    const { clock, onEvent } = this.#dependencies;
    const look = () => this.#forgetRebuilt().then(() => this.#reviewDue());
    this.#cancelLook = repeat(clock, LOOK_MS, look, (error) => onEvent({ type: 'look-failed', error }));
  }

  async #forgetRebuilt(): Promise<void> {
    const places = await this.#dependencies.store.readPlaces();
    for (const [partition, { checkpoint }] of this.#workers) {
      if (checkpoint === null) continue;
      const place = places.get(partition);
      if (place?.generation !== checkpoint.generation) this.#forget(partition);
      else if (place.nextOffset < checkpoint.nextOffset)
        await this.#inTurn(partition, () => this.#readLostAgain(partition));
    }
  }

  /** Repeats commits that a crash of the database has lost, even if no further message arrives. */
  async #readLostAgain(partition: number): Promise<void> {
    const { nextOffset } = await this.#dependencies.store.read(partition);
    if (nextOffset >= (this.#workers.get(partition)?.checkpoint?.nextOffset ?? 0)) return;
    this.#forget(partition);
    this.#consumer?.readOn(partition, nextOffset);
  }

  /**
   * Forgets partitions that another instance has moved on meanwhile. An instance that was frozen must not answer from
   * old memory.
   */
  async #forgetMoved(): Promise<Awaited<ReturnType<PartitionStore['readPlaces']>>> {
    const places = await this.#dependencies.store.readPlaces();
    for (const [partition, { checkpoint }] of this.#workers) {
      const place = places.get(partition);
      if (place?.generation !== checkpoint?.generation || place?.nextOffset !== checkpoint?.nextOffset)
        this.#forget(partition);
    }
    return places;
  }

  #forget(partition: number): void {
    this.#workers.delete(partition);
    this.#dependencies.onForgotten?.(partition);
  }

  /** Reviews due instants after a publication, partition by partition, while no batch of the partition is running. */
  async #reviewDue(): Promise<void> {
    const { dueReviews = [], publications } = this.#dependencies;
    for (const review of dueReviews.filter(({ isNeeded }) => isNeeded))
      for (const { current } of publications.histories())
        for (const partition of await review.unreviewed(current, this.assigned ?? []))
          await this.#reviewPartition(review, current, partition);
  }

  async #reviewPartition(review: DueReview, configuration: Configuration, partition: number): Promise<void> {
    for (let after: Subject | null = NOBODY; after !== null && !this.#closed;) {
      const from: Subject = after;
      after = await this.#inTurn(partition, () => review.step(configuration, partition, from));
    }
    if (!this.#closed) await review.setReviewed(configuration.account, partition, configuration.version);
  }

  /** Runs work for a partition, one task after the other. */
  #inTurn<T>(partition: number, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(partition) ?? Promise.resolve()).then(work);
    this.#turns.set(
      partition,
      turn.catch(() => undefined),
    );
    return turn;
  }

  #release(partition: number): void {
    this.#workers.delete(partition);
    this.#troubles.delete(partition);
  }

  #workerOf(partition: number): PartitionWorker {
    const present = this.#workers.get(partition);
    if (present) return present;
    const { store, publications, openProjection, routes, dataKeys, services = 1 } = this.#dependencies;
    const worker = new PartitionWorker({
      partition,
      store,
      publications,
      openProjection: () => openProjection(partition),
      routes,
      dataKeys,
      services,
      producer: this.#producer,
      sendEffects: (messages) => this.#effects.send(messages),
      counts: this.counts,
    });
    this.#workers.set(partition, worker);
    return worker;
  }
}
