import {
  EffectList,
  isAwaited,
  occasionOf,
  requireAreas,
  type BoardsApplied,
  type BoardsArea,
  type BoardsLayer,
  type ChainMessage,
  type Configuration,
  type MissingRuns,
} from '@laurel/contracts';
import { AreaRows } from '../folding/area-rows.ts';
import type { PartitionProjection, ProjectionBatch, ProjectionChanges } from './projection.ts';

/**
 * The leaderboards of one partition: an area of its own, which nobody else writes. Nothing is sent on from here before it is
 * committed, so standings that another process has moved on do no harm: the commit fails.
 */
export class BoardsProjection implements PartitionProjection {
  readonly #area: BoardsArea;
  readonly #partition: number;
  readonly #narrow: (configuration: Configuration) => Configuration;

  /** @param narrow leaves of a configuration the boards of this partition */
  constructor(area: BoardsArea, partition: number, narrow: (configuration: Configuration) => Configuration) {
    this.#area = area;
    this.#partition = partition;
    this.#narrow = narrow;
  }

  begin(): ProjectionBatch {
    return new BoardsBatch(this.#area, this.#partition, this.#narrow);
  }
}

class BoardsBatch implements ProjectionBatch {
  readonly #area: BoardsArea;
  readonly #partition: number;
  readonly #narrow: (configuration: Configuration) => Configuration;
  readonly #layer: BoardsLayer;
  readonly #rows = new AreaRows();

  constructor(area: BoardsArea, partition: number, narrow: (configuration: Configuration) => Configuration) {
    this.#area = area;
    this.#partition = partition;
    this.#narrow = narrow;
    this.#layer = area.openLayer(null);
  }

  get weight(): number {
    return this.#rows.count;
  }

  /** What is missing is found message by message: which runs one touches depends on its configuration. */
  load(): Promise<void> {
    return Promise.resolve();
  }

  async apply(message: ChainMessage, configuration: Configuration): Promise<ChainMessage> {
    const own = this.#narrow(configuration);
    let applied = this.#applyNow(message, own);
    if ('missing' in applied) {
      await this.#area.load(applied.missing);
      applied = this.#applyNow(message, own);
    }
    if ('missing' in applied) throw new Error('a run is not in memory though it was read');
    this.#rows.add(applied.rows);
    const { section: leaderboards } = applied;
    return leaderboards === null ? message : { ...message, sections: { ...message.sections, leaderboards } };
  }

  /** To an occasion of its own, as the boards add their effects to it. */
  #applyNow(message: ChainMessage, configuration: Configuration): BoardsApplied | MissingRuns {
    requireAreas(this.#area, message);
    const sink = new EffectList(null, message.effects);
    return this.#layer.apply(occasionOf(message, configuration), configuration, sink, isAwaited(message));
  }

  changes(): ProjectionChanges {
    return { states: [], rows: this.#rows.merged(this.#area.tables, this.#partition) };
  }

  publish(): void {
    this.#layer.publish();
  }

  discard(): void {
    this.#layer.discard();
  }
}
