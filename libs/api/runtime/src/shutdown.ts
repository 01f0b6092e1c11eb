import type { Logger } from './logging.ts';

/** The part of `process` that a graceful stop needs. */
export interface StoppableProcess {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
}

/** Stops a process in order: the last registered task first, one after the other. */
export class Shutdown {
  readonly #tasks: { readonly name: string; readonly stop: () => Promise<void> | void }[] = [];
  readonly #logger: Logger;
  #stopped: Promise<boolean> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get stopping(): boolean {
    return this.#stopped !== null;
  }

  register(name: string, stop: () => Promise<void> | void): void {
    this.#tasks.push({ name, stop });
  }

  /**
   * Runs each task once, however often it is called. If a task fails, the failure is logged and the others still run.
   * @returns whether all succeeded.
   */
  stop(): Promise<boolean> {
    this.#stopped ??= this.#run();
    return this.#stopped;
  }

  /** SIGTERM or SIGINT stops gracefully and exits with 0, or 1 if a task failed; a second signal exits at once. */
  listen(on: StoppableProcess = process): void {
    const receive = (signal: string) => {
      if (this.stopping) return on.exit(1);
      this.#logger.info({ signal }, 'stopping');
      void this.stop().then((clean) => on.exit(clean ? 0 : 1));
    };
    on.on('SIGTERM', () => receive('SIGTERM'));
    on.on('SIGINT', () => receive('SIGINT'));
  }

  async #run(): Promise<boolean> {
    let clean = true;
    for (const { name, stop } of this.#tasks.toReversed()) {
      try {
        await stop();
        this.#logger.debug({ task: name }, 'stopped');
      } catch (error) {
        clean = false;
        this.#logger.error({ task: name, err: error }, 'could not be stopped cleanly');
      }
    }
    return clean;
  }
}
