import { ManualClock } from '@laurel/testing';
import { LagWatch } from './lag-watch.ts';
import { Membership, type Progress } from './membership.ts';

describe('the watch over the lag', () => {
  let clock: ManualClock;
  let membership: Membership;
  let alone: (number | null)[];
  let ends: number[];
  let watch: LagWatch;

  beforeEach(() => {
    clock = new ManualClock();
    membership = new Membership([0, 1, 2]);
    alone = [];
    ends = [0, 0, 0];
    watch = new LagWatch({
      clock,
      ends: () => Promise.resolve(ends),
      groupPositions: () => Promise.resolve([0, 0, 0]),
      membership: () => membership,
      readAlone: (partition) => void alone.push(partition),
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

  it('has a partition read alone that has messages and has not moved from one look to the next', async () => {
    ends = [9, 9, 1];
    await look();
    progressOf(0).position = 5;
    progressOf(1).position = 2;
    await look();
    expect(alone).toEqual([null, 2]);
    progressOf(2).position = 1;
    await look();
    expect(alone.at(-1)).toBe(0);
  });

  it('leaves partitions alone whose handler is at work, or has failed', async () => {
    ends = [9, 9, 0];
    progressOf(0).busy = true;
    progressOf(1).failure = { attempts: 1, error: 'poison' };
    await look();
    await look();
    expect(alone).toEqual([null, null]);
  });

  it('begins anew with every assignment', async () => {
    ends = [9, 9, 9];
    await look();
    membership = new Membership([0, 1, 2]);
    await look();
    expect(alone).toEqual([null, null]);
    await look();
    expect(alone.at(-1)).toBe(0);
  });

  it('looks no more once it is stopped', async () => {
    watch.stop();
    expect(clock.timers).toBe(0);
    await look();
    expect(alone).toEqual([]);
  });
});
