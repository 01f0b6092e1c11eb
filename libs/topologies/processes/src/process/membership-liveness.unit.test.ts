import { ManualClock } from '@laurel/testing/clock';
import { MEMBERLESS_LIMIT_MS, MembershipLiveness } from './membership-liveness.ts';

const MINUTE_MS = 60_000;

describe('the liveness of a group member', () => {
  let clock: ManualClock;
  let isMember: boolean;
  let brokerAnswers: boolean;
  let asked: number;
  let answer: () => Promise<void>;
  let liveness: MembershipLiveness;

  beforeEach(() => {
    clock = new ManualClock();
    [isMember, brokerAnswers, asked] = [true, true, 0];
    answer = () => (brokerAnswers ? Promise.resolve() : Promise.reject(new Error('no broker')));
    liveness = new MembershipLiveness({
      clock,
      group: 'g',
      isMember: () => isMember,
      askCoordinator: () => {
        asked++;
        return answer();
      },
    });
    liveness.start();
  });
  afterEach(() => liveness.stop());

  it('is good during membership, without asking the broker', async () => {
    await clock.advance(24 * 60 * MINUTE_MS);
    expect(liveness.restartReason).toBeNull();
    expect(asked).toBe(0);
  });

  it('is bad after five minutes without membership while the broker answers, until it is a member', async () => {
    isMember = false;
    await clock.advance(MEMBERLESS_LIMIT_MS);
    expect(liveness.restartReason).toBeNull();
    expect(liveness.memberlessSeconds).toBe(290);
    await clock.advance(MINUTE_MS / 2);
    expect(liveness.restartReason).toMatch(/^not in the group g for 3[0-9]{2} s while the broker answers$/);
    isMember = true;
    await clock.advance(MINUTE_MS / 2);
    expect(liveness.restartReason).toBeNull();
    expect(liveness.memberlessSeconds).toBe(0);
  });

  it('stays good during an outage of the broker, however long', async () => {
    [isMember, brokerAnswers] = [false, false];
    await clock.advance(24 * 60 * MINUTE_MS);
    expect(liveness.restartReason).toBeNull();
  });

  it('allows five minutes to rejoin after an outage, also if membership was lost before', async () => {
    isMember = false;
    await clock.advance(4 * MINUTE_MS);
    brokerAnswers = false;
    await clock.advance(10 * MINUTE_MS);
    brokerAnswers = true;
    await clock.advance(MEMBERLESS_LIMIT_MS);
    expect(liveness.restartReason).toBeNull();
    await clock.advance(MINUTE_MS);
    expect(liveness.restartReason).not.toBeNull();
  });

  it('starts counting again after an interval of membership', async () => {
    for (let time = 0; time < 10; time++) {
      isMember = false;
      await clock.advance(4 * MINUTE_MS);
      isMember = true;
      await clock.advance(MINUTE_MS / 2);
    }
    expect(liveness.restartReason).toBeNull();
  });

  it('does not count the time in which the process was frozen', async () => {
    let atMs = 0;
    let due = (): void => undefined;
    const frozen = new MembershipLiveness({
      clock: {
        now: () => atMs,
        elapsedMs: () => atMs,
        after: (_delayMs, task) => {
          due = task;
          return () => undefined;
        },
      },
      group: 'g',
      isMember: () => false,
      askCoordinator: () => Promise.resolve(),
    });
    const run = async (ms: number): Promise<void> => {
      atMs += ms;
      due();
      await new Promise((resolve) => setImmediate(resolve));
    };
    frozen.start();
    await run(10_000);
    await run(60 * MINUTE_MS);
    expect(frozen.restartReason).toBeNull();
    for (let look = 0; look < 30; look++) await run(10_000);
    expect(frozen.restartReason).not.toBeNull();
  });

  it('does not count a check during which membership began', async () => {
    isMember = false;
    await clock.advance(4 * MINUTE_MS);
    answer = () => {
      isMember = true;
      return Promise.resolve();
    };
    await clock.advance(10_000);
    expect(liveness.memberlessSeconds).toBe(0);
  });

  it('is not checked any more after a stop', async () => {
    isMember = false;
    await clock.advance(11_000);
    liveness.stop();
    expect(clock.timers).toBe(0);
  });

  it('is not checked any more when the stop happened during a check', async () => {
    isMember = false;
    let answered = (): void => undefined;
    answer = () => new Promise((resolve) => (answered = resolve));
    await clock.advance(11_000);
    liveness.stop();
    answered();
    await clock.advance(MINUTE_MS);
    expect([asked, clock.timers]).toEqual([1, 0]);
  });
});
