import type { ServiceProgress } from '@laurel/chain';
import { AREAS, type AreaName } from '@laurel/kernel';
import { pause, repeat, type CancelTimer, type Clock } from '@laurel/ports';
import { stalledSeconds, type ChainServiceStatus } from '@laurel/schemas';
import type { TopicCopies } from '@laurel/event-stream';
import { problemsIn } from './chain-problems.ts';
import type { ChainProgress } from './chain-progress.ts';

/** The state of the chain at a moment. */
export interface ChainReading extends ChainProgress {
  /** Position of the last record that was published to the first topic. */
  readonly published: number;
  /** Position of the newest record of the log; null if this process does not read it. */
  readonly head: number | null;
  /** The number of members in the consumer group of each service, by name; absent if there is none. */
  readonly members: ReadonlyMap<string, number>;
  /** The replicas of each topic; null if the brokers do not answer. */
  readonly copies: readonly TopicCopies[] | null;
}

/** The last reading of the chain, compared with earlier ones. */
export interface ChainReport extends Pick<ChainReading, 'areas' | 'published'> {
  readonly services: readonly ChainServiceStatus[];
  readonly queryGateways: number;
  /** Sentences about everything that prevents events from being applied or answered. */
  readonly problems: readonly string[];
}

export interface ChainWatchOptions {
  readonly read: () => Promise<ChainReading>;
  readonly clock: Clock;
  /** Called when the chain could not be read; it is retried. */
  readonly onFailure: (error: unknown) => void;
}

export const QUERY_GATEWAY = 'query-gateway';
const LOOK_EVERY_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/** The position of pending work, and the time since it has not moved. */
interface Standing {
  readonly at: number;
  readonly sinceMs: number;
}

/**
 * Reads the progress of the services, regularly and on demand, to distinguish a service without any progress from one that is merely busy.
 */
export class ChainWatch {
  readonly #options: ChainWatchOptions;
  #standing: ReadonlyMap<string, Standing> = new Map();
  #reading: Promise<ChainReport> | null = null;
  #latest: ChainReport | null = null;
  #cancel: CancelTimer = () => undefined;

  constructor(options: ChainWatchOptions) {
    this.#options = options;
  }

  /** At most a few seconds old while the chain can be read; null before the first reading. */
  get latest(): ChainReport | null {
    return this.#latest;
  }

  start(): void {
    const { clock, onFailure } = this.#options;
    this.#cancel = repeat(clock, LOOK_EVERY_MS, () => this.look(), onFailure);
  }

  stop(): void {
    this.#cancel();
  }

  /** Reads now; concurrent calls share a reading. @throws the error of the reading */
  look(): Promise<ChainReport> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** The position up to which every area has applied the log. @throws the error of the reading */
  async appliedPosition(): Promise<number> {
    const { areas } = await this.look();
    return Math.min(...areas.map(({ position }) => position));
  }

  /** Waits until every area has applied the log up to `position`. Returns the areas that have not within the limit. Never rejects. */
  async pendingAt(position: number, limitMs: number): Promise<readonly AreaName[]> {
    const { clock } = this.#options;
    const deadlineMs = clock.elapsedMs() + limitMs;
    for (;;) {
      // The current reading may have begun before the position was recorded.
      await this.#reading?.catch(() => undefined);
      const pending = await this.#areasBefore(position);
      if (pending.length === 0 || clock.elapsedMs() >= deadlineMs) return pending;
      await pause(clock, LOOK_AGAIN_MS);
    }
  }

  async #areasBefore(position: number): Promise<readonly AreaName[]> {
    try {
      const { areas } = await this.look();
      return areas.filter((area) => area.position < position).map(({ area }) => area);
    } catch (error) {
      this.#options.onFailure(error);
      return AREAS;
    }
  }

  async #read(): Promise<ChainReport> {
    const reading = await this.#options.read();
    this.#standing = this.#advance(reading);
    const { areas, published, copies } = reading;
    const services = reading.services.map((service) => this.#statusOf(service, reading));
    const queryGateways = reading.members.get(QUERY_GATEWAY) ?? 0;
    const problems = problemsIn({
      relayStalledMs: this.#stalledMs(RELAY),
      services: services.map((status, place) => ({ ...status, deleted: reading.services[place]?.deleted ?? [] })),
      queryGateways,
      copies: copies ?? [],
    });
    this.#latest = { services, areas, published, queryGateways, problems };
    return this.#latest;
  }

  /** Tracks pending work; the time restarts if it has moved, or if nothing was pending. */
  #advance({ services, head, published }: ChainReading): ReadonlyMap<string, Standing> {
    const nowMs = this.#options.clock.elapsedMs();
    const waiting = services.flatMap(({ service, lagging }) =>
      lagging.map(({ partition, nextOffset }) => [nameOf(service, partition), nextOffset] as const),
    );
    if (head !== null && head > published) waiting.push([RELAY, published]);
    return new Map(
      waiting.map(([name, at]) => {
        const before = this.#standing.get(name);
        return [name, before?.at === at ? before : { at, sinceMs: nowMs }];
      }),
    );
  }

  #statusOf({ service, behind, stopped, lagging }: ServiceProgress, { members }: ChainReading): ChainServiceStatus {
    const stalledMs = Math.max(0, ...lagging.map(({ partition }) => this.#stalledMs(nameOf(service, partition))));
    const stalled = { stalledMs, stalledSeconds: stalledSeconds(stalledMs) };
    return { service, members: members.get(service) ?? 0, behind, ...stalled, stopped: [...stopped] };
  }

  #stalledMs(name: string): number {
    const standing = this.#standing.get(name);
    return standing === undefined ? 0 : Math.round(this.#options.clock.elapsedMs() - standing.sinceMs);
  }
}

const RELAY = 'relay';
const nameOf = (service: string, partition: number): string => `${service} ${partition}`;
