import type { Instant } from '@laurel/calendar';
import type { Clock } from '@laurel/contracts';

export interface DueSweeperParts {
  readonly clock: Clock;
  readonly accounts: () => readonly string[];
  /** Users for whom something falls due up to `at`, those who have waited longest first. */
  readonly dueUsers: (account: string, at: Instant, limit: number) => Promise<readonly string[]>;
  /** While an import is open, or a partition stands still, nothing is swept. */
  readonly mayNotSweep: (account: string) => Promise<boolean>;
  /** Records that these users were settled up to now. */
  readonly recordSweep: (account: string, userIds: readonly string[]) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** What fell due must show within a minute (specification, section 7). */
const EVERY_MS = 20_000;
const USERS_AT_A_TIME = 200;
const STEPS = 1_000;
/** The services settle a swept user in their own time; until then the user still reads as due. */
const PATIENCE_MS = 60_000;

/**
 * Settles what fell due for users of whom nothing is heard, in bounded steps, each a record of the log. Run by the leader
 * among the ingestion gateways; a second one at once would record sweeps that find nothing due.
 */
export class DueSweeper {
  readonly counts = { users: 0 };
  readonly #parts: DueSweeperParts;
  readonly #sweptAtMs = new Map<string, number>();
  #cancel: () => void = () => undefined;
  #turn: Promise<void> = Promise.resolve();
  #ended = true;

  constructor(parts: DueSweeperParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#ended = false;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#ended = true;
    this.#cancel();
    await this.#turn;
  }

  async sweep(): Promise<void> {
    this.#forgetOld();
    for (const account of this.#parts.accounts())
      for (let step = 0; step < STEPS && !this.#ended; step++) if (!(await this.#sweepStep(account))) break;
  }

  #schedule(): void {
    this.#cancel = this.#parts.clock.after(EVERY_MS, () => {
      this.#turn = this.sweep()
        .catch(this.#parts.onTrouble)
        .finally(() => this.#ended || this.#schedule());
    });
  }

  /** Answers whether there may be more. */
  async #sweepStep(account: string): Promise<boolean> {
    const { clock, dueUsers, mayNotSweep, recordSweep } = this.#parts;
    if (await mayNotSweep(account)) return false;
    // Those just swept may still read as due, in front of the others.
    const limit = USERS_AT_A_TIME + this.#sweptAtMs.size;
    const due = await dueUsers(account, clock.now(), limit);
    const users = due.filter((userId) => !this.#sweptAtMs.has(nameOf(account, userId))).slice(0, USERS_AT_A_TIME);
    if (users.length === 0) return false;
    await recordSweep(account, users);
    for (const userId of users) this.#sweptAtMs.set(nameOf(account, userId), clock.elapsedMs());
    this.counts.users += users.length;
    return users.length === USERS_AT_A_TIME;
  }

  #forgetOld(): void {
    const before = this.#parts.clock.elapsedMs() - PATIENCE_MS;
    for (const [name, sweptAtMs] of this.#sweptAtMs) if (sweptAtMs < before) this.#sweptAtMs.delete(name);
  }
}

/** Neither accounts nor user ids hold a NUL. */
const nameOf = (account: string, userId: string): string => `${account}\0${userId}`;
