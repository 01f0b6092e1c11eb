import { ManualClock } from '@laurel/testing/clock';
import { LagWatch } from './lag-watch.ts';
import { Membership, type Progress } from './membership.ts';

describe('LagWatch', () => {
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

  it("learns the group's offsets and the ends of the partitions", async () => {
    ends = [3, 0, 0];
    expect(membership.health().map(({ lag }) => lag)).toEqual([null, null, null]);
    await look();
    expect(membership.health().map(({ lag }) => lag)).toEqual([3, 0, 0]);
  });

  it('knows the lag of a partition that makes no progress', async () => {
    progressOf(0).position = 4;
    progressOf(0).end = 5;
    ends = [9, 0, 0];
    await look();
    expect(membership.health()[0]?.lag).toBe(5);
  });

  it('asks nothing while it owns no partitions', async () => {
    ends = [9, 9, 9];
    membership = new Membership([]);
    await look();
    expect(asked).toBe(0);
    membership = new Membership([1]);
    await look();
    expect([asked, membership.health()]).toEqual([1, [{ partition: 1, lag: 9, failure: null }]]);
  });

  it('keeps asking after a failure, and reports each outage once', async () => {
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

  it('stops asking once it is stopped', async () => {
    watch.stop();
    expect(clock.timers).toBe(0);
    await look();
    expect(asked).toBe(0);
  });
});
