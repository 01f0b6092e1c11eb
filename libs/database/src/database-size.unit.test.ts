import type { SqlReader } from '@laurel/contracts';
import { ManualClock } from '@laurel/testing';
import { DatabaseSize } from './database-size.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the size of the database', () => {
  let reads: number;
  let answer: () => Promise<unknown[]>;
  const sql = {
    query: () => {
      reads++;
      return answer();
    },
  } as unknown as SqlReader;
  beforeEach(() => {
    reads = 0;
    answer = () => Promise.resolve([{ bytes: String(1_000 * reads) }]);
  });

  it('is read at most once a minute, however often it is asked for', async () => {
    const clock = new ManualClock();
    const size = new DatabaseSize(sql, clock);
    await size.refresh();
    for (let asked = 0; asked < 100; asked++) expect(size.bytes).toBe(1_000);
    await clock.advance(59_999);
    expect(size.bytes).toBe(1_000);
    expect(reads).toBe(1);
    await clock.advance(1);
    expect(size.bytes).toBe(1_000);
    await settled();
    expect([size.bytes, reads]).toEqual([2_000, 2]);
  });

  it('is not known while the database cannot be read', async () => {
    answer = () => Promise.reject(new Error('down'));
    const size = new DatabaseSize(sql, new ManualClock());
    await size.refresh();
    expect(size.bytes).toBeNull();
  });
});
