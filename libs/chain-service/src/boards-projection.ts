import type { BoardsArea, BoardsLayer, ChainMessage, Configuration } from '@laurel/contracts';
import { AreaRows } from '@laurel/projections';
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
    const missing = this.#layer.missing(message, own);
    if (missing.length > 0) await this.#area.load(missing);
    const { section, rows } = this.#layer.project(message, own);
    this.#rows.add(rows);
    return { ...message, leaderboards: section };
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
