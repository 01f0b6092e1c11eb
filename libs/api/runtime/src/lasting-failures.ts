import type { CancelTimer, Clock } from '@laurel/ports';
import type { Health } from './health.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';

/** Work that has been failing this long counts as a problem. */
export const LASTING_MS = 5 * 60_000;
/** Interval of checks, in addition to those on request. */
const LOOK_EVERY_MS = 60_000;

/** Work repeated in the background, which can keep failing while requests are answered. */
export interface RepeatedWork {
  /** The name of the note in `/readyz`, and of the metric's series. */
  readonly name: 'sweeps' | 'verdicts' | 'outcomes';
  /** What does not happen while the work fails. */
  readonly harm: string;
  /** How long it has been failing; 0 if it works. */
  readonly failingMs: () => number;
}

export interface LastingFailuresDependencies {
  readonly clock: Pick<Clock, 'after'>;
  readonly health: Pick<Health, 'note'>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
  readonly metrics: Pick<Metrics, 'observeEach'>;
}

/**
 * Reports work that has been failing for five minutes: by a note in `/readyz`, a problem in the status, and a log line.
 */
export class LastingFailures {
  readonly #works: readonly RepeatedWork[];
  readonly #dependencies: LastingFailuresDependencies;
  readonly #told = new Set<string>();
  #cancel: CancelTimer = () => undefined;

  constructor(works: readonly RepeatedWork[], dependencies: LastingFailuresDependencies) {
    this.#works = works;
    this.#dependencies = dependencies;
    for (const work of works) dependencies.health.note(work.name, () => problemOf(work));
    dependencies.metrics.observeEach(
      { name: 'laurel_failing_seconds', help: 'Time for which work in the background has failed; 0: it works.' },
      ['work'],
      () => works.map(({ name, failingMs }) => ({ labels: { work: name }, value: failingMs() / 1_000 })),
    );
    this.#look();
  }

  /** One sentence per problem. */
  get problems(): readonly string[] {
    return this.#works.map(problemOf).filter((problem) => problem !== null);
  }

  stop(): void {
    this.#cancel();
  }

  #look(): void {
    for (const work of this.#works) this.#tell(work);
    this.#cancel = this.#dependencies.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #tell(work: RepeatedWork): void {
    const { logger } = this.#dependencies;
    const { name } = work;
    const problem = problemOf(work);
    if (problem !== null && !this.#told.has(name)) {
      this.#told.add(name);
      logger.error(problem);
    } else if (work.failingMs() === 0 && this.#told.delete(name)) logger.info(`${name} work again`);
  }
}

function problemOf({ name, harm, failingMs }: RepeatedWork): string | null {
  const ms = failingMs();
  return ms < LASTING_MS ? null : `${name} have failed for ${Math.floor(ms / 60_000)} min: ${harm}; the log says why`;
}
