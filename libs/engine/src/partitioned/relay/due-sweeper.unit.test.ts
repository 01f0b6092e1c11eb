import type { Subject } from '@laurel/kernel';
import { ManualClock } from '@laurel/testing/clock';
import { DueSweeper, type DueSweeperDependencies } from './due-sweeper.ts';

const SWEEP_MS = 20_000;

/** Users who fall due, each at an instant of their own; they stay due until they are settled. */
function open(count: number, more: Partial<DueSweeperDependencies> = {}) {
  const clock = new ManualClock();
  const due = new Map(Array.from({ length: count }, (_, n) => [n + 1, Math.floor(n / 3)]));
  const sweeps: (readonly Subject[])[] = [];
  const troubles: unknown[] = [];
  const dependencies: DueSweeperDependencies = {
    clock,
    accounts: () => ['default'],
    dueUsers: (_account, at, after, limit) => {
      const users = [...due].map(([subject, dueAt]) => ({ subject, dueAt })).filter(({ dueAt }) => dueAt <= at);
      const isBehind = (user: { subject: Subject; dueAt: number }): boolean =>
        after === null || user.dueAt > after.dueAt || (user.dueAt === after.dueAt && user.subject > after.subject);
      return Promise.resolve(users.filter(isBehind).slice(0, limit));
    },
    mayNotSweep: () => Promise.resolve(false),
    recordSweep: (_account, subjects) => Promise.resolve(void sweeps.push(subjects)),
    recordRuns: () => Promise.resolve(),
    onTrouble: (error) => troubles.push(error),
    ...more,
  };
  const sweeper = new DueSweeper(dependencies);
  return { clock, due, sweeps, troubles, sweeper };
}

describe('the sweeper', () => {
  it('sweeps everyone who is due, in bounded steps, longest waiting first', async () => {
    const { clock, due, sweeps, sweeper } = open(450);
    sweeper.start();
    await clock.advance(SWEEP_MS);
    expect(sweeps.map((users) => users.length)).toEqual([200, 200, 50]);
    expect(sweeps.flat()).toEqual([...due.keys()]);
    expect(sweeper.counts.users).toBe(450);
    await sweeper.stop();
  });

  it('gives the services time to settle users, then sweeps those who are still due', async () => {
    const { clock, due, sweeps, sweeper } = open(3);
    sweeper.start();
    await clock.advance(SWEEP_MS);
    due.delete(1);
    await clock.advance(2 * SWEEP_MS);
    expect(sweeps).toHaveLength(1);
    await clock.advance(2 * SWEEP_MS);
    expect(sweeps.slice(1)).toEqual([[2, 3]]);
    await sweeper.stop();
  });

  it('records leaderboard runs after the users, and none while sweeping is not allowed', async () => {
    const order: string[] = [];
    let isHeld = false;
    const { clock, sweeper } = open(201, {
      mayNotSweep: () => Promise.resolve(isHeld),
      recordSweep: () => Promise.resolve(void order.push('users')),
      recordRuns: (account) => Promise.resolve(void order.push(`runs of ${account}`)),
    });
    sweeper.start();
    await clock.advance(SWEEP_MS);
    expect(order).toEqual(['users', 'users', 'runs of default']);
    isHeld = true;
    await clock.advance(SWEEP_MS);
    expect(order).toHaveLength(3);
    await sweeper.stop();
  });

  it('finds a user who falls due after many who were just swept', async () => {
    const { clock, due, sweeps, sweeper } = open(400);
    sweeper.start();
    await clock.advance(SWEEP_MS);
    due.set(401, SWEEP_MS + 1);
    await clock.advance(SWEEP_MS);
    expect(sweeps.slice(2)).toEqual([[401]]);
    await sweeper.stop();
  });

  it('names a user once even if two services have something to settle', async () => {
    const both = [0, 1].map((dueAt) => ({ subject: 7, dueAt }));
    const { clock, sweeps, sweeper } = open(0, {
      dueUsers: (_account, _at, after) => Promise.resolve(after === null ? both : []),
    });
    sweeper.start();
    await clock.advance(SWEEP_MS);
    expect(sweeps).toEqual([[7]]);
    await sweeper.stop();
  });

  it('stops as soon as sweeping is no longer allowed, even between two steps', async () => {
    let steps = 0;
    const { clock, sweeps, sweeper } = open(450, { mayNotSweep: () => Promise.resolve(++steps > 2) });
    sweeper.start();
    await clock.advance(SWEEP_MS);
    expect(sweeps).toHaveLength(2);
    await sweeper.stop();
  });

  it('reports a failure, and sweeps the unrecorded users at the next attempt', async () => {
    let isAway = true;
    const recorded: Subject[] = [];
    const { clock, troubles, sweeper } = open(2, {
      recordSweep: (_account, subjects) =>
        isAway ? Promise.reject(new Error('away')) : Promise.resolve(void recorded.push(...subjects)),
    });
    sweeper.start();
    await clock.advance(SWEEP_MS);
    expect(troubles).toEqual([new Error('away')]);
    isAway = false;
    await clock.advance(SWEEP_MS);
    expect(recorded).toEqual([1, 2]);
    await sweeper.stop();
  });

  it('distinguishes users of the same subject in different accounts', async () => {
    const swept: (string | Subject)[] = [];
    const { clock, sweeper } = open(1, {
      accounts: () => ['a', 'b'],
      recordSweep: (account, subjects) => Promise.resolve(void swept.push(account, ...subjects)),
    });
    sweeper.start();
    await clock.advance(SWEEP_MS);
    expect(swept).toEqual(['a', 1, 'b', 1]);
    await sweeper.stop();
  });

  it('does nothing once it is stopped', async () => {
    const { clock, sweeps, sweeper } = open(5);
    sweeper.start();
    await sweeper.stop();
    await clock.advance(10 * SWEEP_MS);
    expect(sweeps).toEqual([]);
    expect(clock.timers).toBe(0);
  });
});
