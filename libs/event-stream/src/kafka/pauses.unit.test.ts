import { Pauses } from './pauses.ts';

describe('the pauses of partitions', () => {
  const OWNED = [0, 1, 2, 3];
  let standing: Set<number>;
  let pauses: Pauses;

  beforeEach(() => {
    standing = new Set();
    pauses = new Pauses({
      pause: (partition) => standing.add(partition),
      resume: (partition) => standing.delete(partition),
    });
  });

  it('are for the partition that has failed, until it is tried again', () => {
    pauses.fail(1);
    pauses.fail(3);
    expect([...standing]).toEqual([1, 3]);
    pauses.retry(1, OWNED);
    expect([...standing]).toEqual([3]);
  });

  it('are for all but the one that is read alone', () => {
    pauses.readAlone(2, OWNED);
    expect([...standing]).toEqual([0, 1, 3]);
    pauses.readAlone(null, OWNED);
    expect([...standing]).toEqual([]);
  });

  it('last while there is one reason', () => {
    pauses.fail(0);
    pauses.readAlone(2, OWNED);
    pauses.retry(0, OWNED);
    expect([...standing].sort()).toEqual([0, 1, 3]);
    pauses.fail(0);
    pauses.readAlone(null, OWNED);
    expect([...standing]).toEqual([0]);
  });

  it('are over when the assignment changes', () => {
    pauses.fail(0);
    pauses.readAlone(2, OWNED);
    pauses.clear();
    expect([...standing]).toEqual([]);
    pauses.fail(1);
    expect([...standing]).toEqual([1]);
  });
});
