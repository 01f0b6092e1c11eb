import { randomUUID } from 'node:crypto';
import { formatInstant } from '@laurel/calendar';
import { ProblemError, invalidRequest, type AreaName, type Clock, type RebuildAnswer } from '@laurel/contracts';

/** Applies the log again for these areas; none named: all. */
export type RunRebuild = (
  areas: readonly AreaName[],
  onProgress: (applied: number, head: number) => void,
) => Promise<void>;

export interface RebuildRunsParts {
  readonly run: RunRebuild;
  readonly clock: Clock;
  /** Told of each that ended, for the log. */
  readonly onEnd: (rebuild: RebuildAnswer, error: unknown) => void;
}

/** Rebuilds that are remembered, the newest ones. */
const REMEMBERED = 20;

/** The rebuilds of a process, one at a time. */
export class RebuildRuns {
  readonly #parts: RebuildRunsParts;
  readonly #known = new Map<string, RebuildAnswer>();
  #latest: RebuildAnswer | null = null;

  constructor(parts: RebuildRunsParts) {
    this.#parts = parts;
  }

  /** The latest since the process started. */
  get latest(): RebuildAnswer | null {
    return this.#latest;
  }

  find(id: string): RebuildAnswer | null {
    return this.#known.get(id) ?? null;
  }

  /** @throws ProblemError 422 while one is under way */
  start(areas: readonly AreaName[], head: number): RebuildAnswer {
    if (this.#latest?.state === 'running')
      throw new ProblemError(
        invalidRequest([{ path: 'areas', message: `cannot be rebuilt now: rebuild ${this.#latest.id} is under way` }]),
      );
    const rebuild: RebuildAnswer = {
      id: randomUUID(),
      areas: [...areas],
      state: 'running',
      applied: 0,
      head,
      startedAt: formatInstant(this.#parts.clock.now()),
      finishedAt: null,
      error: null,
    };
    this.#keep(rebuild);
    void this.#run(rebuild.id, areas);
    return rebuild;
  }

  async #run(id: string, areas: readonly AreaName[]): Promise<void> {
    const { run, onEnd } = this.#parts;
    try {
      await run(areas, (applied, head) => this.#change(id, { applied, head }));
      onEnd(this.#end(id, { state: 'done' }), null);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onEnd(this.#end(id, { state: 'failed', error: message }), error);
    }
  }

  #end(id: string, outcome: Partial<RebuildAnswer>): RebuildAnswer {
    return this.#change(id, { ...outcome, finishedAt: formatInstant(this.#parts.clock.now()) });
  }

  #change(id: string, change: Partial<RebuildAnswer>): RebuildAnswer {
    const changed = { ...(this.#known.get(id) as RebuildAnswer), ...change };
    this.#keep(changed);
    return changed;
  }

  #keep(rebuild: RebuildAnswer): void {
    this.#latest = rebuild;
    this.#known.set(rebuild.id, rebuild);
    for (const id of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) return;
      this.#known.delete(id);
    }
  }
}
