import { groupBy, StoreUnavailableError, type Subject } from '@laurel/kernel';
import { serviceOf } from '@laurel/ports';
import { partitionOf } from '@laurel/event-stream';
import { type OwnerCalls, OwnerUnavailableError } from '@laurel/processes';
import {
  RANKINGS,
  STANDINGS,
  type RunQuery,
  type BoardsPlace,
  type Rankings,
  type RankingsRequest,
  type StandingInRun,
  type StandingsRequest,
} from './board-requests.ts';

/** Asks the leaderboard services: only the owner of a board knows its standings. */
export class BoardClient {
  readonly #calls: Pick<OwnerCalls, 'ask'>;
  readonly #partitions: number;

  /** @param partitions of the topic of the leaderboards */
  constructor(calls: Pick<OwnerCalls, 'ask'>, partitions: number) {
    this.#calls = calls;
    this.#partitions = partitions;
  }

  /** The ranked rows from `offset` on. @throws StoreUnavailableError if the owner does not answer within the limit */
  rankings(run: RunQuery, offset: number, limit: number, limitMs: number): Promise<Rankings> {
    const partition = this.#partitionOf(run);
    const request = (): RankingsRequest => ({ partition, run, offset, limit });
    return this.#ask<Rankings>(partition, RANKINGS, request, limitMs);
  }

  /**
   * The user's standings in these runs, once the boards have applied the messages up to `after`.
   * @throws StoreUnavailableError if an owner does not answer within the limit, or has not applied them
   */
  async standings(
    runs: readonly RunQuery[],
    subject: Subject,
    limitMs: number,
    after?: BoardsPlace,
  ): Promise<readonly StandingInRun[]> {
    const byPartition = groupBy(runs, (run) => this.#partitionOf(run));
    const found = new Map<RunQuery, StandingInRun>();
    await Promise.all(
      [...byPartition].map(async ([partition, some]) => {
        const request = (leftMs: number): StandingsRequest => ({
          partition,
          runs: some,
          subject,
          ...(after && { after: numberIn(after, partition, leftMs) }),
        });
        const standings = await this.#ask<readonly StandingInRun[]>(partition, STANDINGS, request, limitMs);
        some.forEach((run, place) => found.set(run, standings[place] as StandingInRun));
      }),
    );
    return runs.map((run) => found.get(run) as StandingInRun);
  }

  async #ask<T>(partition: number, name: string, payload: (leftMs: number) => unknown, limitMs: number): Promise<T> {
    try {
      return await this.#calls.ask<T>({ topic: serviceOf('leaderboards').input, partition, name, payload }, limitMs);
    } catch (error) {
      if (!(error instanceof OwnerUnavailableError)) throw error;
      throw new StoreUnavailableError('the owner of a leaderboard cannot be reached', { cause: error });
    }
  }

  #partitionOf({ account, board }: RunQuery): number {
    return partitionOf(account, board, this.#partitions);
  }
}

const numberIn = ({ source, sent }: BoardsPlace, partition: number, limitMs: number) => ({
  source,
  sequence: sent.get(partition) ?? 0,
  limitMs,
});
