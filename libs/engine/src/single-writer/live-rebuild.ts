import type { AreaName } from '@laurel/kernel';
import { pause, type Clock } from '@laurel/ports';
import { NotRebuildableError, areasToRebuild } from '../rebuild/areas-to-rebuild.ts';
import { RebuildFailedError, type Rebuild } from '../rebuild/rebuild.ts';
import type { RebuildComparison, RebuildDifference } from '../rebuild/rebuild-comparison.ts';
import { TablesInUseError, TakeOverUnknownError } from '../rebuild/rebuild-store.ts';
import type { Committed } from './committed.ts';
import type { Chain } from './chain.ts';
import type { Quarantine } from './quarantine.ts';
import type { QueueState } from './queue-owner.ts';

export interface LiveRebuildDependencies {
  readonly openRebuild: (areas: readonly AreaName[]) => Promise<Rebuild>;
  readonly queue: { readonly state: QueueState; exclusively(task: () => Promise<void>): Promise<void> };
  readonly chain: Chain;
  readonly committed: Committed;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  /** Runs a task while no users are being marked as due. */
  readonly withoutMarking: (task: () => Promise<void>) => Promise<void>;
  /** Called if it is unknown what is stored: the process must end. */
  readonly onUnknown: (error: TakeOverUnknownError) => void;
}

/** Number of attempts to take over while other sessions hold the tables: about ten minutes. */
const TAKE_OVER_ATTEMPTS = 200;
const TAKE_OVER_PAUSE_MS = 2_000;

const noted = (): void => undefined;

/** Rebuilds while the engine goes on, one rebuild at a time. */
export class LiveRebuild {
  readonly #dependencies: LiveRebuildDependencies;
  #running: Promise<void> | null = null;

  constructor(dependencies: LiveRebuildDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Rebuilds these areas (all if none is named) from the log while the engine goes on. Then replaces the live read
   * models between two batches.
   * @throws NotRebuildableError, RebuildFailedError, TablesInUseError and others: the live read models are unchanged.
   * TakeOverUnknownError: the outcome is unknown, and the engine must stop.
   */
  async run(asked: readonly AreaName[], onProgress: (applied: number, head: number) => void): Promise<void> {
    const areas = this.areas(asked);
    return this.#alone((applied) => this.#rebuild(areas, applied), onProgress);
  }

  /**
   * Rebuilds and compares with the live read models in one snapshot. Nothing is taken over. The queue is blocked only
   * while the newest records are applied.
   * @throws NotRebuildableError if an area has stopped, RebuildFailedError and others
   */
  async compare(
    asked: readonly AreaName[],
    onProgress: (applied: number, head: number) => void,
  ): Promise<readonly RebuildDifference[]> {
    const { committed } = this.#dependencies;
    const areas = this.areas(asked);
    const [stopped] = committed.failures.keys();
    if (stopped !== undefined) throw new NotRebuildableError(`${stopped} is halted: rebuild it first`);
    return this.#alone((applied) => this.#compare(areas, applied), onProgress);
  }

  /** Allows one rebuild at a time, until the engine ends. @throws NotRebuildableError while another one is running */
  #alone<T>(
    work: (onApplied: (applied: number) => void) => Promise<T>,
    onProgress: (applied: number, head: number) => void,
  ): Promise<T> {
    if (this.#running !== null) throw new NotRebuildableError('a rebuild is under way');
    const running = work((applied) => {
      if (this.#hasEnded()) throw new RebuildFailedError('the service is stopping');
      onProgress(applied, this.#dependencies.committed.head);
    });
    this.#running = running.then(noted, noted).finally(() => (this.#running = null));
    return running;
  }

  async #compare(
    areas: readonly AreaName[],
    onProgress: (applied: number) => void,
  ): Promise<readonly RebuildDifference[]> {
    const { openRebuild, queue, withoutMarking } = this.#dependencies;
    const rebuild = await openRebuild(areas);
    try {
      await rebuild.catchUp(onProgress);
      await rebuild.prepareTakeOver();
      await rebuild.catchUp(onProgress);
      const opened: RebuildComparison[] = [];
      const open = async (): Promise<void> => {
        await rebuild.catchUp(onProgress);
        opened.push(await rebuild.openComparison());
      };
      await withoutMarking(() => queue.exclusively(open));
      const [comparison] = opened as [RebuildComparison];
      return await comparison.differences().finally(() => comparison.close());
    } finally {
      await rebuild.close();
    }
  }

  /** The areas that {@link run} would rebuild. @throws NotRebuildableError if a stopped area is not among them. */
  areas(asked: readonly AreaName[]): readonly AreaName[] {
    return areasToRebuild(asked, new Set(this.#dependencies.committed.failures.keys()));
  }

  /** Resolves once no rebuild is running. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #rebuild(areas: readonly AreaName[], onProgress: (applied: number) => void): Promise<void> {
    const { openRebuild, clock } = this.#dependencies;
    const rebuild = await openRebuild(areas);
    try {
      for (let attempt = 1; ; attempt++) {
        await rebuild.catchUp(onProgress);
        if (attempt === 1) {
          await rebuild.prepareTakeOver();
          // Writing took long. Apply the records added meanwhile before the queue is blocked.
          await rebuild.catchUp(onProgress);
        }
        try {
          return await this.#takeOver(rebuild, onProgress);
        } catch (error) {
          if (!(error instanceof TablesInUseError) || attempt === TAKE_OVER_ATTEMPTS || this.#hasEnded()) throw error;
        }
        await pause(clock, TAKE_OVER_PAUSE_MS);
      }
    } finally {
      await rebuild.close();
    }
  }

  /**
   * Takes over while the queue is blocked: no batch is open, and new tasks wait. Afterwards, memory is restored from
   * the store.
   */
  async #takeOver(rebuild: Rebuild, onProgress: (applied: number) => void): Promise<void> {
    const { queue, chain, committed, quarantine, withoutMarking, onUnknown } = this.#dependencies;
    const task = async (): Promise<void> => {
      await rebuild.catchUp(onProgress);
      // An area may have stopped meanwhile.
      this.areas(rebuild.areas);
      await rebuild.takeOver();
      const remaining = [...committed.failures].filter(([area]) => !rebuild.areas.includes(area));
      committed.restore(committed.head, new Map(remaining), committed.recordedAt);
      committed.documents.clear();
      quarantine.clear();
      chain.boards.forget();
    };
    try {
      await withoutMarking(() => queue.exclusively(task));
    } catch (error) {
      if (error instanceof TakeOverUnknownError) onUnknown(error);
      throw error;
    }
  }

  #hasEnded(): boolean {
    const { state } = this.#dependencies.queue;
    return state === 'closed' || state === 'fenced';
  }
}
