import type { Clock } from '@laurel/ports';
import { Timers } from './timers.ts';

export interface MembershipWatchdogDependencies {
  readonly clock: Clock;
  readonly sessionTimeoutMs: number;
  /** How long the broker waits for the other members when a member joins. */
  readonly rebalanceTimeoutMs: number;
  /** Called once, when the consumer has to be replaced. */
  readonly onStuck: (why: string) => void;
}

/**
 * `joining`: kafkajs joins the group, or waits for the other members to join. `member`: it has joined, and the partitions are
 * known. `unassigned`: the broker treats it as a member, but its partitions are not known.
 */
type Phase = 'joining' | 'member' | 'unassigned';

/** Checks within a session. */
const LOOKS = 10;

/**
 * Detects a kafkajs consumer that does not recover by itself. If the answer to a join fails or comes after kafkajs's limit, kafkajs fetches
 * and sends heartbeats without the event that names the partitions. It can also stop doing anything at all.
 *
 * Only time in which this process runs counts: after a freeze, kafkajs has the time of a session to join again.
 */
export class MembershipWatchdog {
  readonly #dependencies: MembershipWatchdogDependencies;
  readonly #timers: Timers;
  #phase: Phase = 'joining';
  /** Time in this phase, or, as a member, since the last heartbeat. */
  #elapsedMs = 0;
  #lookedAtMs = 0;

  constructor(dependencies: MembershipWatchdogDependencies) {
    this.#dependencies = dependencies;
    this.#timers = new Timers(dependencies.clock);
  }

  start(): void {
    this.#lookedAtMs = this.#dependencies.clock.elapsedMs();
    this.#lookLater();
  }

  stop(): void {
    this.#timers.cancel();
  }

  /** The consumer joins again. */
  joining(): void {
    if (this.#phase !== 'joining') this.#enter('joining');
  }

  joined(): void {
    this.#enter('member');
  }

  /** The known partitions belong to an earlier generation of the group. */
  assignmentLost(): void {
    this.#enter('unassigned');
  }

  /** The broker has answered a heartbeat or delivered a batch. */
  heard(): void {
    if (this.#phase === 'member') this.#elapsedMs = 0;
    else if (this.#phase === 'joining') this.#enter('unassigned');
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#elapsedMs = 0;
  }

  #lookLater(): void {
    this.#timers.after(this.#stepMs(), () => this.#look());
  }

  #look(): void {
    const now = this.#dependencies.clock.elapsedMs();
    this.#elapsedMs += Math.min(now - this.#lookedAtMs, 2 * this.#stepMs());
    this.#lookedAtMs = now;
    if (this.#elapsedMs > this.#limitMs()) this.#dependencies.onStuck(this.#why());
    else this.#lookLater();
  }

  #stepMs(): number {
    return this.#dependencies.sessionTimeoutMs / LOOKS;
  }

  #limitMs(): number {
    const { sessionTimeoutMs, rebalanceTimeoutMs } = this.#dependencies;
    return this.#phase === 'joining' ? rebalanceTimeoutMs + sessionTimeoutMs : sessionTimeoutMs;
  }

  #why(): string {
    const seconds = `${Math.round(this.#limitMs() / 1000)} s`;
    switch (this.#phase) {
      case 'joining':
        return `it has not joined its group within ${seconds}`;
      case 'member':
        return `no heartbeat was answered within ${seconds}`;
      case 'unassigned':
        return `it is in its group, but its partitions have not been known for ${seconds}`;
    }
  }
}
