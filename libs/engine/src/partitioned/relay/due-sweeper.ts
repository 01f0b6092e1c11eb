import type { Instant } from '@laurel/calendar';
import type { Subject } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { DueUser, ReadDueUsers } from '../../due/due-users.ts';
import { SweepTimer, USERS_PER_SWEEP } from '../../due/sweep-timer.ts';

export interface DueSweeperDependencies {
  readonly clock: Clock;
  readonly accounts: () => readonly string[];
  /** A user for whom several services have something to settle may come more than once. Fewer than the limit: nobody is behind them. */
  readonly dueUsers: ReadDueUsers;
  /** While an import is open, a partition stands still or the services are far behind, nothing is swept. */
  readonly mayNotSweep: (account: string) => Promise<boolean>;
  /** Records that these users are settled up to now. */
  readonly recordSweep: (account: string, subjects: readonly Subject[]) => Promise<void>;
  /** Records which runs of leaderboards have begun and ended. */
  readonly recordRuns: (account: string) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** Services settle a swept user a little later; until then the user still reads as due. */
const PATIENCE_MS = 60_000;
/** Most swept users remembered, about 40 MB. Others wait until some of these are forgotten. */
const MOST_REMEMBERED = 250_000;

/**
 * Settles what has fallen due for inactive users, in bounded steps; each step is one record of the log. The leader of
 * the ingestion gateways runs it: a second one at the same time would record sweeps of users with nothing due.
 */
export class DueSweeper {
  readonly counts = { users: 0 };
  readonly #dependencies: DueSweeperDependencies;
  readonly #sweptAtMs = new Map<string, number>();
  readonly #timer: SweepTimer;

  constructor(dependencies: DueSweeperDependencies) {
    this.#dependencies = dependencies;
    this.#timer = new SweepTimer(dependencies.clock, () => this.sweep(), dependencies.onTrouble);
  }

  /** How long sweeps have been failing; 0 if the last one succeeded or another process sweeps. */
  get failingMs(): number {
    return this.#timer.failingMs;
  }

  start(): void {
    this.#timer.start();
  }

  /** Resolves once no sweep is running. */
  stop(): Promise<void> {
    return this.#timer.stop();
  }

  async sweep(): Promise<void> {
    this.#forgetOld();
    const at = this.#dependencies.clock.now();
    for (const account of this.#dependencies.accounts()) {
      let last: DueUser | 'none' | 'held' | null = null;
      do last = await this.#sweepStep(account, at, last);
      while (last !== 'none' && last !== 'held' && this.#timer.isRunning);
      if (last === 'none') await this.#dependencies.recordRuns(account);
    }
  }

  /** Returns the last user looked at, `none` if there are no more, or `held` if nothing may be swept now. */
  async #sweepStep(account: string, at: Instant, after: DueUser | null): Promise<DueUser | 'none' | 'held'> {
    const { clock, dueUsers, mayNotSweep, recordSweep } = this.#dependencies;
    if (this.#sweptAtMs.size >= MOST_REMEMBERED || (await mayNotSweep(account))) return 'held';
    const due = await dueUsers(account, at, after, USERS_PER_SWEEP);
    const users = [...new Set(due.map(({ subject }) => subject))].filter(
      (subject) => !this.#sweptAtMs.has(nameOf(account, subject)),
    );
    if (users.length > 0) await recordSweep(account, users);
    for (const subject of users) this.#sweptAtMs.set(nameOf(account, subject), clock.elapsedMs());
    this.counts.users += users.length;
    return due.length < USERS_PER_SWEEP ? 'none' : (due.at(-1) ?? 'none');
  }

  #forgetOld(): void {
    const before = this.#dependencies.clock.elapsedMs() - PATIENCE_MS;
    for (const [name, sweptAtMs] of this.#sweptAtMs) if (sweptAtMs < before) this.#sweptAtMs.delete(name);
  }
}

/** Neither accounts nor user ids contain NUL. */
const nameOf = (account: string, subject: Subject): string => `${account}\0${subject}`;
