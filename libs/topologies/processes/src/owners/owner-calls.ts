import { pause, type CancelTimer, type Clock } from '@laurel/ports';
import { CallError, type InternalClients } from '../internal-calls/index.ts';
import { inTime } from '../process/in-time.ts';
import type { OwnerDirectory } from './owner-directory.ts';

/** The answer of an instance to a request about a partition. */
export type OwnerAnswer<T> = { readonly owned: true; readonly answer: T } | { readonly owned: false };

export interface OwnerRequest {
  readonly topic: string;
  readonly partition: number;
  /** Name of the call. */
  readonly name: string;
  /** Returns the payload, given the time limit of the call. */
  readonly payload: (limitMs: number) => unknown;
}

/** The partition's owner did not answer within the limit; `cause` is the last error. */
export class OwnerUnavailableError extends Error {
  override readonly name = 'OwnerUnavailableError';
}

export interface OwnerCallsDependencies {
  readonly owners: Pick<OwnerDirectory, 'ownerOf' | 'renew'>;
  readonly clients: Pick<InternalClients, 'call'>;
  readonly clock: Clock;
  /** Called for each attempt that failed, unless the partition is moving. */
  readonly onFailure: (name: string, address: string | null, error: unknown) => void;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;
/** Reserved for the network out of the caller's limit, at most half of it. */
const WAY_MS = 100;
/** Interval of checks whether the partition has moved, while its owner does not answer and may be frozen. */
const LOOK_AFTER_MS = 1_000;

/** Sends requests about a partition to its owner, and retries until the limit, also with a new owner. */
export class OwnerCalls {
  readonly #dependencies: OwnerCallsDependencies;

  constructor(dependencies: OwnerCallsDependencies) {
    this.#dependencies = dependencies;
  }

  /** If an answer is lost, the handler is called again. @throws OwnerUnavailableError */
  async ask<T>(request: OwnerRequest, limitMs: number): Promise<T> {
    const { clock } = this.#dependencies;
    const deadline = clock.elapsedMs() + limitMs;
    let failure: unknown = null;
    let pauseMs = FIRST_PAUSE_MS;
    for (let leftMs = limitMs; leftMs > 0; leftMs = deadline - clock.elapsedMs()) {
      const attempt = await inTime(clock, leftMs, this.#attempt<T>(request, leftMs));
      if (attempt === null) break;
      if (attempt.owned) return attempt.answer;
      failure = attempt.error;
      if (attempt.moved) continue;
      await pause(clock, Math.max(0, Math.min(pauseMs, deadline - clock.elapsedMs())));
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    throw new OwnerUnavailableError(`partition ${request.partition} of ${request.topic} did not answer`, {
      cause: failure,
    });
  }

  async #attempt<T>(request: OwnerRequest, leftMs: number): Promise<Attempt<T>> {
    let address: string | null = null;
    try {
      address = await this.#ownerOf(request);
      const answer = address === null ? NOT_OWNED : await this.#call<T>(request, address, leftMs);
      if (answer.owned) return answer;
      return { owned: false, moved: await this.#hasMoved(request, address), error: null };
    } catch (error) {
      this.#dependencies.onFailure(request.name, address, error);
      const moved = isOverloaded(error) ? false : await this.#hasMoved(request, address);
      return { owned: false, moved, error };
    }
  }

  async #call<T>(request: OwnerRequest, address: string, leftMs: number): Promise<OwnerAnswer<T>> {
    const payload = request.payload(leftMs - Math.min(WAY_MS, leftMs / 2));
    const answer = this.#dependencies.clients.call(address, request.name, payload, leftMs);
    const watch = this.#watch(request, address);
    try {
      return (await Promise.race([answer, watch.moved])) as OwnerAnswer<T>;
    } finally {
      watch.stop();
    }
  }

  /** `moved` resolves once the partition has another owner. */
  #watch(request: OwnerRequest, address: string): { readonly moved: Promise<OwnerAnswer<never>>; stop(): void } {
    let cancel: CancelTimer = () => undefined;
    let stopped = false;
    const moved = new Promise<OwnerAnswer<never>>((resolve) => {
      const look = async (): Promise<void> => {
        const owner = await this.#ownerOf(request).catch(() => address);
        if (stopped) return;
        if (owner === address || owner === null) wait();
        else resolve(NOT_OWNED);
      };
      const wait = (): void => {
        cancel = this.#dependencies.clock.after(LOOK_AFTER_MS, () => void look());
      };
      wait();
    });
    const stop = (): void => {
      stopped = true;
      cancel();
    };
    return { moved, stop };
  }

  /** Reads the current owner of the partition, and returns whether it is another one. */
  async #hasMoved(request: OwnerRequest, from: string | null): Promise<boolean> {
    try {
      await this.#dependencies.owners.renew(request.topic);
      return (await this.#ownerOf(request)) !== from;
    } catch {
      return false;
    }
  }

  #ownerOf({ topic, partition }: OwnerRequest): Promise<string | null> {
    return this.#dependencies.owners.ownerOf(topic, partition);
  }
}

type Attempt<T> =
  | { readonly owned: true; readonly answer: T }
  | { readonly owned: false; readonly moved: boolean; readonly error: unknown };

const NOT_OWNED: OwnerAnswer<never> = { owned: false };

const isOverloaded = (error: unknown): boolean => error instanceof CallError && error.failure === 'overloaded';
