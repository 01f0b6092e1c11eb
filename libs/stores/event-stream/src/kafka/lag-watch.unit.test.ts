import { ManualClock } from '@laurel/testing/clock';
import { LagWatch } from './lag-watch.ts';
import { Membership, type Progress } from './membership.ts';

describe('the watch over the lag', () => {
  let clock: ManualClock;
  let membership: Membership;
  let asked: number;
  let fails: boolean;
  let ends: number[];
  let troubles: unknown[];
  let watch: LagWatch;

  beforeEach(() => {
    clock = new ManualClock();
    membership = new Membership([0, 1, 2]);
    [asked, fails] = [0, false];
    ends = [0, 0, 0];
    troubles = [];
    watch = new LagWatch({
      clock,
      ends: () => {
        asked++;
        return fails ? Promise.reject(new Error('no broker')) : Promise.resolve(ends);
      },
      groupPositions: () => Promise.resolve([0, 0, 0]),
      membership: () => membership,
      onTrouble: (error) => troubles.push(error),
    });
    watch.start();
  });
  afterEach(() => watch.stop());

  const progressOf = (partition: number): Progress => {
    const progress = membership.of(partition);
    if (!progress) throw new Error('not owned');
    return progress;
  };
  const look = (): Promise<void> => clock.advance(5_000);

  it('learns where the group stands and where the partitions end', async () => {
    ends = [3, 0, 0];
    expect(membership.health().map(({ lag }) => lag)).toEqual([null, null, null]);
    await look();
    expect(membership.health().map(({ lag }) => lag)).toEqual([3, 0, 0]);
  });

  it('knows the lag of a partition that stands still', async () => {
    progressOf(0).position = 4;
    progressOf(0).end = 5;
    ends = [9, 0, 0];
    await look();
    expect(membership.health()[0]?.lag).toBe(5);
  });

  it('asks nothing while it owns nothing', async () => {
    ends = [9, 9, 9];
    membership = new Membership([]);
    await look();
    expect(asked).toBe(0);
    membership = new Membership([1]);
    await look();
    expect([asked, membership.health()]).toEqual([1, [{ partition: 1, lag: 9, failure: null }]]);
  });

  it('goes on looking when there was no answer, and tells of each outage once', async () => {
    fails = true;
    await look();
    await look();
    expect(troubles).toEqual([new Error('no broker')]);
    fails = false;
    ends = [1, 0, 0];
    await look();
    expect(membership.health()[0]?.lag).toBe(1);
    fails = true;
    await look();
    expect(troubles).toHaveLength(2);
  });

  it('looks no more once it is stopped', async () => {
    watch.stop();
    expect(clock.timers).toBe(0);
    await look();
    expect(asked).toBe(0);
  });
});
