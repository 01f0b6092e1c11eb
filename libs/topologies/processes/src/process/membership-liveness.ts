import type { CancelTimer, Clock } from '@laurel/ports';

export interface MembershipLivenessDependencies {
  readonly clock: Clock;
  readonly group: string;
  readonly isMember: () => boolean;
  /** Rejects if the broker that coordinates the group does not answer. */
  readonly askCoordinator: () => Promise<void>;
}

/** The longest time without membership while the broker answers. */
export const MEMBERLESS_LIMIT_MS = 5 * 60_000;
const LOOK_MS = 10_000;

/**
 * Detects that a process has to be restarted because it does not get back into its consumer group. While the broker does not answer, a restart
 * would not help, so such a time resets the measurement. Only time in which this process runs counts.
 */
export class MembershipLiveness {
  readonly #dependencies: MembershipLivenessDependencies;
  #cancel: CancelTimer = () => undefined;
  #isStopped = false;
  #lookedAtMs: number;
  /** The time since the first check that found no membership although the broker answered; null if the last check found otherwise. */
  #memberlessMs: number | null = null;

  constructor(dependencies: MembershipLivenessDependencies) {
    this.#dependencies = dependencies;
    this.#lookedAtMs = dependencies.clock.elapsedMs();
  }

  start(): void {
    this.#cancel = this.#dependencies.clock.after(LOOK_MS, () => {
      void this.#look().then(() => this.#isStopped || this.start());
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** The time without membership while the broker answered; 0 if it is a member, or if the broker does not answer. */
  get memberlessSeconds(): number {
    return Math.floor((this.#memberlessMs ?? 0) / 1_000);
  }

  /** null if it need not be restarted. */
  get restartReason(): string | null {
    const { memberlessSeconds } = this;
    if (memberlessSeconds < MEMBERLESS_LIMIT_MS / 1_000) return null;
    return `not in the group ${this.#dependencies.group} for ${memberlessSeconds} s while the broker answers`;
  }

  async #look(): Promise<void> {
    const isStuck = !this.#dependencies.isMember() && (await this.#brokerAnswers()) && !this.#dependencies.isMember();
    const now = this.#dependencies.clock.elapsedMs();
    const sinceLastMs = Math.min(now - this.#lookedAtMs, 2 * LOOK_MS);
    this.#lookedAtMs = now;
    if (!isStuck) this.#memberlessMs = null;
    else this.#memberlessMs = this.#memberlessMs === null ? 0 : this.#memberlessMs + sinceLastMs;
  }

  async #brokerAnswers(): Promise<boolean> {
    try {
      await this.#dependencies.askCoordinator();
      return true;
    } catch {
      return false;
    }
  }
}
