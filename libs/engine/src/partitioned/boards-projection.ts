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

/** What a record contributes to the boards of one partition. */
export type WorkOut = (message: ChainMessage, configuration: Configuration) => Contributions;

/**
 * The leaderboards of one partition: an area of its own, which nobody else writes. Nothing is sent on from here before it is
 * committed, so standings that another process has moved on do no harm: the commit fails.
 */
export class BoardsProjection implements PartitionProjection {
  readonly #boards: ContributedBoards;
  readonly #partition: number;
  readonly #workOut: WorkOut;

  /** @param workOut for the records that services before schema 3 have sent */
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

  /** What is missing is found message by message. */
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
