import { AREAS, groupBy, type ViewRequest, type Subject } from '@laurel/kernel';
import { TOPICS, type Clock } from '@laurel/ports';
import { partitionOf } from '@laurel/event-stream';
import type { BoardsPlace } from '@laurel/partitioned-boards';
import type { OwnerCalls } from '@laurel/processes';
import { GATHER, VIEW, type AnswerRequest, type Viewed, type ViewCall } from './answer-requests.ts';
import { nothingOf, type Gathered } from './gathered.ts';
import { SharedRequests, type AskReady } from './shared-requests.ts';

/** Events of one user whose results are requested. */
interface EventsOfUser {
  readonly account: string;
  readonly subject: Subject;
  readonly eventIds: readonly string[];
}

/** Asks the query gateways for the results of events. */
export class AnswerClient {
  readonly #calls: Pick<OwnerCalls, 'ask'>;
  readonly #partitions: number;
  readonly #onFailure: (error: unknown) => void;
  readonly #shared: SharedRequests;

  /**
   * @param partitions of the topic of effects
   * @param onFailure called with the reason of a pending answer, if no query gateway could be asked
   */
  constructor(calls: Pick<OwnerCalls, 'ask'>, partitions: number, clock: Clock, onFailure: (error: unknown) => void) {
    this.#calls = calls;
    this.#partitions = partitions;
    this.#onFailure = onFailure;
    const askReady: AskReady = (partition, eventIds, limitMs) =>
      this.#ask({ partition, eventIds, ready: true }, limitMs);
    this.#shared = new SharedRequests(askReady, clock);
  }

  /**
   * The results of these events, by event id, as far as they are known within the limit. It sends one request for each partition; a single
   * event of a partition shares a request with other calls. Never rejects.
   */
  async gather(users: readonly EventsOfUser[], limitMs: number): Promise<ReadonlyMap<string, Gathered>> {
    const byPartition = groupBy(users, ({ account, subject }) => this.#partitionOf(account, subject));
    const gathered = await Promise.all(
      [...byPartition].map(([partition, some]) =>
        this.#gatherPartition(
          partition,
          some.flatMap(({ eventIds }) => eventIds),
          limitMs,
        ),
      ),
    );
    return new Map(gathered.flat().map((one) => [one.eventId, one]));
  }

  /**
   * The answer to a replay under a configuration version, after the leaderboards have reached `boardsAfter`, as far as it is known within the
   * limit. Never rejects.
   */
  async view(
    request: ViewRequest,
    configurationVersion: number,
    boardsAfter: BoardsPlace,
    limitMs: number,
  ): Promise<Viewed> {
    const call = {
      topic: TOPICS.effects,
      partition: this.#partitionOf(request.account, request.subject),
      name: VIEW,
      payload: (leftMs: number): ViewCall => ({ request, configurationVersion, limitMs: leftMs, boardsAfter }),
    };
    try {
      return await this.#calls.ask<Viewed>(call, limitMs);
    } catch (error) {
      this.#onFailure(error);
      return { sections: {}, pending: AREAS };
    }
  }

  async #gatherPartition(
    partition: number,
    eventIds: readonly string[],
    limitMs: number,
  ): Promise<readonly Gathered[]> {
    const [only = ''] = eventIds;
    return eventIds.length === 1
      ? [await this.#shared.gather(partition, only, limitMs)]
      : this.#ask({ partition, eventIds }, limitMs);
  }

  async #ask(
    asked: Pick<AnswerRequest, 'partition' | 'eventIds' | 'ready'>,
    limitMs: number,
  ): Promise<readonly Gathered[]> {
    const { partition, eventIds } = asked;
    const request = {
      topic: TOPICS.effects,
      partition,
      name: GATHER,
      payload: (leftMs: number): AnswerRequest => ({ ...asked, limitMs: leftMs }),
    };
    try {
      return await this.#calls.ask<readonly Gathered[]>(request, limitMs);
    } catch (error) {
      this.#onFailure(error);
      return eventIds.map(nothingOf);
    }
  }

  #partitionOf(account: string, subject: Subject): number {
    return partitionOf(account, subject, this.#partitions);
  }
}
