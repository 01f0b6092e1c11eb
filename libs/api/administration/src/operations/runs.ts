import { randomUUID } from 'node:crypto';
import { formatInstant } from '@laurel/calendar';
import type { Clock } from '@laurel/ports';

/** A long-running task that callers start and then look up by its id. */
export interface Run {
  readonly id: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly error: string | null;
}

export interface RunsDependencies<R extends Run> {
  readonly clock: Clock;
  /** Called when a run has ended, to log it. */
  readonly onEnd: (run: R, error: unknown) => void;
}

/** Most runs remembered, newest first. */
const REMEMBERED = 20;

/** The runs of one kind in a process, one at a time. */
export class Runs<R extends Run> {
  readonly #dependencies: RunsDependencies<R>;
  readonly #known = new Map<string, R>();
  #latest: R | null = null;

  constructor(dependencies: RunsDependencies<R>) {
    this.#dependencies = dependencies;
  }

  /** The latest run since the process started. */
  get latest(): R | null {
    return this.#latest;
  }

  /** The running one, or null. */
  get running(): R | null {
    return this.#latest?.state === 'running' ? this.#latest : null;
  }

  find(id: string): R | null {
    return this.#known.get(id) ?? null;
  }

  /** @param run does the work, and calls `change` to update the answer */
  start(begun: Omit<R, keyof Run>, run: (change: (changed: Partial<R>) => void) => Promise<void>): R {
    const startedAt = formatInstant(this.#dependencies.clock.now());
    const started = {
      id: randomUUID(),
      state: 'running',
      ...begun,
      startedAt,
      finishedAt: null,
      error: null,
    } as unknown;
    this.#keep(started as R);
    void this.#run((started as R).id, run);
    return started as R;
  }

  async #run(id: string, run: (change: (changed: Partial<R>) => void) => Promise<void>): Promise<void> {
    const { onEnd } = this.#dependencies;
    try {
      await run((changed) => this.#change(id, changed));
      onEnd(this.#end(id, { state: 'done' } as Partial<R>), null);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onEnd(this.#end(id, { state: 'failed', error: message } as Partial<R>), error);
    }
  }

  #end(id: string, outcome: Partial<R>): R {
    return this.#change(id, { ...outcome, finishedAt: formatInstant(this.#dependencies.clock.now()) });
  }

  #change(id: string, changed: Partial<R>): R {
    const run = { ...(this.#known.get(id) as R), ...changed };
    this.#keep(run);
    return run;
  }

  #keep(run: R): void {
    this.#latest = run;
    this.#known.set(run.id, run);
    for (const id of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) return;
      this.#known.delete(id);
    }
  }
}
