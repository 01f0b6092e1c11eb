import { ManualClock } from '@laurel/testing/clock';
import { MembershipWatchdog } from './membership-watchdog.ts';

const SESSION_MS = 10_000;
const REBALANCE_MS = 60_000;

describe('MembershipWatchdog', () => {
  let clock: ManualClock;
  let reasons: string[];
  let watchdog: MembershipWatchdog;

  beforeEach(() => {
    clock = new ManualClock();
    reasons = [];
    watchdog = new MembershipWatchdog({
      clock,
      sessionTimeoutMs: SESSION_MS,
      rebalanceTimeoutMs: REBALANCE_MS,
      onStuck: (why) => reasons.push(why),
    });
    watchdog.start();
  });

  /** A heartbeat a second. */
  const heartbeats = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1_000);
      watchdog.heard();
    }
  };

  it('accepts a member with heartbeats', async () => {
    watchdog.joined();
    await heartbeats(600);
    expect(reasons).toEqual([]);
  });

  it('gives up a member without a heartbeat for longer than the session', async () => {
    watchdog.joined();
    await heartbeats(60);
    await clock.advance(SESSION_MS);
    expect(reasons).toEqual([]);
    await clock.advance(1_000);
    expect(reasons).toEqual(['no heartbeat was answered within 10 s']);
  });

  it('gives up a consumer that gets heartbeats or batches while its partitions are unknown', async () => {
    watchdog.joined();
    await heartbeats(5);
    watchdog.joining();
    await clock.advance(5_000);
    await heartbeats(10);
    expect(reasons).toEqual([]);
    await heartbeats(2);
    expect(reasons).toEqual(['it is in its group, but its partitions have not been known for 10 s']);
  });

  it('gives up a consumer whose partitions are those of an earlier generation', async () => {
    watchdog.joined();
    await heartbeats(5);
    watchdog.assignmentLost();
    await heartbeats(10);
    expect(reasons).toEqual([]);
    await heartbeats(1);
    expect(reasons).toHaveLength(1);
  });

  it('waits for the rebalance timeout and one session for other members to join', async () => {
    await clock.advance(REBALANCE_MS + SESSION_MS);
    expect(reasons).toEqual([]);
    await clock.advance(1_000);
    expect(reasons).toEqual(['it has not joined its group within 70 s']);
  });

  it('does not restart its wait if the consumer tries to join again', async () => {
    for (let second = 0; second < 71; second++) {
      watchdog.joining();
      await clock.advance(1_000);
    }
    expect(reasons).toHaveLength(1);
  });

  it('lets a consumer recover that joins in time', async () => {
    await heartbeats(9);
    watchdog.joined();
    await heartbeats(60);
    watchdog.assignmentLost();
    await heartbeats(9);
    watchdog.joining();
    await clock.advance(REBALANCE_MS);
    watchdog.joined();
    await heartbeats(60);
    expect(reasons).toEqual([]);
  });

  it('does not count time in which the process was frozen', async () => {
    const frozen = new FrozenClock();
    const overFrozen = new MembershipWatchdog({
      clock: frozen,
      sessionTimeoutMs: SESSION_MS,
      rebalanceTimeoutMs: REBALANCE_MS,
      onStuck: (why) => reasons.push(why),
    });
    overFrozen.start();
    overFrozen.joined();
    frozen.thawAfter(3_600_000);
    expect(reasons).toEqual([]);
    for (let look = 0; look < 7; look++) frozen.thawAfter(1_000);
    expect(reasons).toEqual([]);
    frozen.thawAfter(1_000);
    expect(reasons).toEqual([]);
    frozen.thawAfter(1_000);
    expect(reasons).toHaveLength(1);
  });

  it('reports once, and nothing after it is stopped', async () => {
    watchdog.joined();
    await clock.advance(60_000);
    expect(reasons).toHaveLength(1);
    expect(clock.timers).toBe(0);
    watchdog.start();
    watchdog.stop();
    expect(clock.timers).toBe(0);
  });
});

/** Its one timer runs when the process does, however late. */
class FrozenClock extends ManualClock {
  #at = 0;
  #due: () => void = () => undefined;

  override elapsedMs(): number {
    return this.#at;
  }

  override after(_delayMs: number, task: () => void): () => void {
    this.#due = task;
    return () => undefined;
  }

  thawAfter(ms: number): void {
    this.#at += ms;
    this.#due();
  }
}
