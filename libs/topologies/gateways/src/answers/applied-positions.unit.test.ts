import { AREAS, StoreUnavailableError } from '@laurel/kernel';
import { VirtualClock } from '@laurel/testing/clock';
import { waitUntilApplied, type PartitionProgress } from './applied-positions.ts';

const NOWHERE: PartitionProgress = { isHalted: false, positions: [0, 0, 0], sentToBoards: new Map() };

function open() {
  const clock = new VirtualClock();
  const chain: { progress: PartitionProgress | Error } = { progress: NOWHERE };
  const asked: number[] = [];
  const failures: unknown[] = [];
  const applied = {
    read: (partition: number) => {
      asked.push(partition);
      return chain.progress instanceof Error ? Promise.reject(chain.progress) : Promise.resolve(chain.progress);
    },
  };
  const wait = () =>
    waitUntilApplied(
      { applied, clock, onFailure: (error) => failures.push(error) },
      { partition: 2, position: 70 },
      8_000,
    );
  return { clock, chain, asked, failures, wait };
}

const sentToBoards = new Map([[1, 9]]);

describe('the wait for an event to be applied', () => {
  it('ends at once when every service has applied it, with what the boards must have received', async () => {
    const { chain, asked, wait } = open();
    chain.progress = { isHalted: false, positions: [71, 70, 70], sentToBoards };
    expect(await wait()).toEqual({ pending: [], boards: { source: 2, sent: sentToBoards } });
    expect(asked).toEqual([2]);
  });

  it('lasts until the last service has applied it', async () => {
    const { clock, chain, wait } = open();
    const answer = wait();
    let isOver = false;
    void answer.then(() => (isOver = true));
    chain.progress = { isHalted: false, positions: [70, 70, 69], sentToBoards };
    await clock.advance(2_000);
    expect(isOver).toBe(false);
    chain.progress = { isHalted: false, positions: [70, 70, 70], sentToBoards };
    await clock.advance(100);
    expect(await answer).toEqual({ pending: [], boards: { source: 2, sent: sentToBoards } });
  });

  it.each([
    [[69, 69, 69], AREAS],
    [[70, 69, 69], AREAS.slice(AREAS.indexOf('achievements'))],
    [[70, 70, 69], AREAS.slice(AREAS.indexOf('points'))],
  ])('names the pending areas at the limit when the services are at %j', async (positions, pending) => {
    const { clock, chain, wait } = open();
    chain.progress = { isHalted: false, positions, sentToBoards };
    const answer = wait();
    await clock.advance(8_100);
    expect(await answer).toEqual({ pending, boards: null });
  });

  it('continues after the database was unavailable and reports the failure', async () => {
    const { clock, chain, failures, wait } = open();
    chain.progress = new StoreUnavailableError('away');
    const answer = wait();
    await clock.advance(1_000);
    chain.progress = { isHalted: false, positions: [70, 70, 70], sentToBoards };
    await clock.advance(1_000);
    expect((await answer).pending).toEqual([]);
    expect(failures.length).toBeGreaterThan(1);
  });
});
