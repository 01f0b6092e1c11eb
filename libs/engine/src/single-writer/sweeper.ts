import type { CommandResult, Subject } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { BatchStore } from '../storage/batch-store.ts';
import type { DueUser } from '../due/due-users.ts';
import { SweepTimer } from '../due/sweep-timer.ts';
import type { Committed } from './committed.ts';
import type { InternalCommand } from './internal-command.ts';
import type { Quarantine } from './quarantine.ts';

export interface SweeperDependencies {
  readonly store: Pick<BatchStore, 'dueUsers' | 'markAllDue'>;
  readonly clock: Clock;
  readonly committed: Committed;
  readonly quarantine: Quarantine;
  readonly submit: (command: InternalCommand) => Promise<CommandResult>;
  /** Records which runs of leaderboards have begun and ended. */
  readonly recordRuns: (account: string) => Promise<void>;
  /** Called when a sweep failed; the next sweep tries again. */
  readonly onSweepFailure: (error: unknown) => void;
}

export interface SweeperOptions {
  /** See `SWEEP_EVERY_MS`. */
  readonly sweepEveryMs: number;
  /** See `USERS_PER_SWEEP`. */
  readonly sweepStep: number;
}

/** Most steps of one sweep; the next sweep continues. */
const SWEEP_STEPS = 1_000;

/**
 * Settles due changes of inactive users: time awards, freezes, ended streaks. It works in bounded steps, each of them a
 * record of the log; other work goes on in between. It skips accounts with an open import, and everything while an area
 * has stopped.
 */
export class Sweeper {
  readonly #dependencies: SweeperDependencies;
  readonly #options: SweeperOptions;
  readonly #timer: SweepTimer;
  #held = false;
  #settledAtMs: number;
  #leftSome = false;
  #marking: Promise<void> = Promise.resolve();

  constructor(dependencies: SweeperDependencies, options: SweeperOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
    this.#settledAtMs = dependencies.clock.elapsedMs();
    this.#timer = new SweepTimer(
      dependencies.clock,
      () => this.sweep(),
      dependencies.onSweepFailure,
      options.sweepEveryMs,
    );
  }

  /**
   * Time since the start of the last sweep that settled everything due, or since the start of the process. Accounts
   * with an open import do not count.
   */
  get lagMs(): number {
    return this.#dependencies.clock.elapsedMs() - this.#settledAtMs;
  }

  /** How long sweeps have been failing; 0 if the last one succeeded. */
  get failingMs(): number {
    return this.#timer.failingMs;
  }

  /** Sweeps repeatedly, until {@link end}. */
  begin(): void {
    this.#timer.start();
  }

  /** Resolves once no sweep is running. */
  end(): Promise<void> {
    return this.#timer.stop();
  }

  async sweep(): Promise<void> {
    const beganAtMs = this.#dependencies.clock.elapsedMs();
    let leftSome = false;
    for (const { name, history } of [...this.#dependencies.committed.accounts.values()]) {
      if (history === null) continue;
      await this.#markAllDue(name, history.current.version);
      this.#leftSome = false;
      if (await this.#sweepAccount(name)) this.#leave();
      if (!this.#leftSome && !this.#isImporting(name)) await this.#dependencies.recordRuns(name);
      leftSome ||= this.#leftSome;
    }
    if (!leftSome) this.#settledAtMs = beganAtMs;
  }

  /** Runs `task` while no users are being marked as due, because the task would undo some of the marks. */
  async withoutMarking<T>(task: () => Promise<T>): Promise<T> {
    this.#held = true;
    try {
      await this.#marking.catch(() => undefined);
      return await task();
    } finally {
      this.#held = false;
    }
  }

  /** Marks all users as due: after a publication or a rebuild, something may be due for anybody. */
  async #markAllDue(account: string, version: number): Promise<void> {
    if (this.#held) return;
    this.#marking = this.#dependencies.store.markAllDue(account, version, this.#dependencies.clock.now());
    await this.#marking;
  }

  /**
   * Goes through the due users repeatedly until a round finds none, because a record may have had no room for some.
   * Returns whether there may be more.
   */
  async #sweepAccount(account: string): Promise<boolean> {
    let last: DueUser | null = null;
    for (let steps = 0; steps < SWEEP_STEPS; steps++) {
      const due = await this.#dueUsers(account, last);
      if (due.length === 0 && last === null) return false;
      const subjects = due.map(({ subject }) => subject);
      if (subjects.length > 0 && !(await this.#sweepUsers(account, subjects))) return false;
      last = due.at(-1) ?? null;
    }
    return true;
  }

  /** The next due users after `after`; none if nothing may be swept now. */
  async #dueUsers(account: string, after: DueUser | null): Promise<readonly DueUser[]> {
    const { store, clock, committed, quarantine } = this.#dependencies;
    if (this.#isImporting(account)) return [];
    if (committed.failures.size > 0) {
      this.#leave();
      return [];
    }
    // Users who cannot be settled stay due. They must not take the places of others.
    const { sweepStep } = this.#options;
    const due = await store.dueUsers(account, clock.now(), after, sweepStep + quarantine.size);
    return due.filter(({ subject }) => !quarantine.holds({ account, subject })).slice(0, sweepStep);
  }

  #isImporting(account: string): boolean {
    return (this.#dependencies.committed.accounts.get(account)?.openImport ?? null) !== null;
  }

  /** If a user among these cannot be settled, settles them in halves, so that only that user is left out. */
  async #sweepUsers(account: string, subjects: readonly Subject[]): Promise<boolean> {
    const outcome = await this.#dependencies.submit({ type: 'SweepUsers', account, subjects });
    if (outcome.kind !== 'refused') return true;
    if (outcome.reason === 'damaged') return true;
    if (outcome.reason !== 'rejected' || subjects.length === 1) return this.#leave();
    const half = Math.ceil(subjects.length / 2);
    const first = await this.#sweepUsers(account, subjects.slice(0, half));
    return (await this.#sweepUsers(account, subjects.slice(half))) && first;
  }

  /** Notes that a user stays due. Returns false: nothing more can be done now. */
  #leave(): false {
    this.#leftSome = true;
    return false;
  }
}
