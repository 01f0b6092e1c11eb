import type { CancelTimer, Clock } from '@laurel/ports';

export interface ChainKeeperDependencies {
  /** Hashes what the log holds beyond its hash, a chunk at a time, and tells how far it has come after each. */
  readonly catchUp: (onProgress: (position: number) => void) => Promise<unknown>;
  readonly clock: Clock;
  /** It is tried again after a pause. */
  readonly onTrouble: (error: unknown) => void;
}

/** What was appended within it is hashed together. */
const PAUSE_MS = 1_000;

/**
 * Keeps the hash of a log that several processes append to: none of them knows what the others record, so the one that publishes the log
 * hashes it, close behind its end. Two at once do no harm, they only waste.
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

  /** Ends after what is under way. */
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
