import type {
  BoardsApplied,
  ChainMessage,
  Configuration,
  ContributedBoards,
  Contributions,
  ContributionsLayer,
} from '@laurel/kernel';
import { AreaRows } from '../folding/area-rows.ts';
import { withRuns } from '../folding/with-runs.ts';
import type { AppliedToBoards, Given, PartitionProjection, ProjectionBatch, ProjectionChanges } from './projection.ts';

/** Computes what a record contributes to the boards of one partition. */
export type WorkOut = (message: ChainMessage, configuration: Configuration) => Contributions;

/**
 * The leaderboards of one partition. No other partition writes them. Nothing is sent before it is committed, so
 * outdated standings in memory do no harm: the commit fails.
 */
export class BoardsProjection implements PartitionProjection {
  readonly #boards: ContributedBoards;
  readonly #partition: number;
  readonly #workOut: WorkOut;

  /** @param workOut computes contributions for records of services that send an older schema than 3 */
  constructor(boards: ContributedBoards, partition: number, workOut: WorkOut) {
    this.#boards = boards;
    this.#partition = partition;
    this.#workOut = workOut;
  }

  begin(): ProjectionBatch {
    return new BoardsBatch(this.#boards, this.#partition, this.#workOut);
  }
}

class BoardsBatch implements ProjectionBatch {
  readonly #boards: ContributedBoards;
  readonly #partition: number;
  readonly #workOut: WorkOut;
  readonly #layer: ContributionsLayer;
  readonly #rows = new AreaRows();

  constructor(boards: ContributedBoards, partition: number, workOut: WorkOut) {
    this.#boards = boards;
    this.#partition = partition;
    this.#workOut = workOut;
    this.#layer = boards.openLayer(null);
  }

  get weight(): number {
    return this.#rows.count;
  }

  /** Nothing to load in advance: each message loads the runs that it needs. */
  load(): Promise<void> {
    return Promise.resolve();
  }

  async apply(given: Given, configuration: Configuration): Promise<AppliedToBoards> {
    const contributions = 'record' in given ? this.#workOut(given, configuration) : given;
    const { answerPart, rows } = await this.#contribute(contributions, configuration);
    this.#rows.add(rows);
    return { contributions, outcomes: answerPart?.boards ?? [] };
  }

  async #contribute(contributions: Contributions, configuration: Configuration): Promise<BoardsApplied> {
    return withRuns({ load: (runs) => this.#boards.load(runs) }, () =>
      this.#layer.contribute(contributions, configuration),
    );
  }

  changes(): readonly ProjectionChanges[] {
    return [{ states: [], rows: this.#rows.merged(this.#boards.tables, this.#partition) }];
  }

  publish(): void {
    this.#layer.publish();
  }

  discard(): void {
    this.#layer.discard();
  }
}
