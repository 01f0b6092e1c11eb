import type { CancelTimer, Clock } from '@laurel/ports';

export interface ChainKeeperDependencies {
  /** Hashes the records after the last hashed one, in chunks, and reports progress after each chunk. */
  readonly catchUp: (onProgress: (position: number) => void) => Promise<unknown>;
  readonly clock: Clock;
  /** Called with an error; the work is retried after a pause. */
  readonly onTrouble: (error: unknown) => void;
}

/** Records appended during the pause are hashed together. */
const PAUSE_MS = 1_000;

/**
 * Keeps the hash of a log that several processes append to. No appending process knows what the others record, so the
 * process that publishes the log hashes it, close behind its end. Two keepers at once are harmless but waste work.
 */
export class ChainKeeper {
  readonly #dependencies: ChainKeeperDependencies;
  #running: Promise<void> | null = null;
  #ended = false;
  #cancelPause: CancelTimer = () => undefined;
  #wake: () => void = () => undefined;

  constructor(dependencies: ChainKeeperDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#ended = false;
    this.#running ??= this.#run();
  }

  /** Stops after the running chunk. */
  async stop(): Promise<void> {
    this.#ended = true;
    this.#cancelPause();
    this.#wake();
    await this.#running;
    this.#running = null;
  }

  async #run(): Promise<void> {
    const { catchUp, onTrouble } = this.#dependencies;
    while (!this.#ended) {
      try {
        await catchUp(() => {
          if (this.#ended) throw new StoppedError();
        });
      } catch (error) {
        if (!(error instanceof StoppedError)) onTrouble(error);
      }
      if (!this.#ended) await this.#pause();
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#cancelPause = this.#dependencies.clock.after(PAUSE_MS, resolve);
    });
  }
}

class StoppedError extends Error {
  override readonly name = 'StoppedError';
}
