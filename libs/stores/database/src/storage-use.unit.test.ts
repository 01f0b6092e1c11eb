import type { SqlReader } from '@laurel/kernel';
import { ManualClock } from '@laurel/testing/clock';
import { StorageUse, type StorageUseOptions } from './storage-use.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('StorageUse', () => {
  let clock: ManualClock;
  let reads: number;
  let answer: () => Promise<unknown[]>;
  const sql = {
    query: () => {
      reads++;
      return answer();
    },
  } as unknown as SqlReader;
  const open = (options: Partial<StorageUseOptions> = {}) =>
    new StorageUse({ sql, clock, tables: { schemas: null, names: null }, records: () => 3, space: null, ...options });
  beforeEach(() => {
    clock = new ManualClock();
    reads = 0;
    answer = () =>
      Promise.resolve([
        {
          database: String(1_000 * reads),
          log: '1',
          read_models: '1',
          indexes: '1',
          wal_limit: '1',
          may_list_wal: false,
        },
      ]);
  });

  it('reads the database at most once a second, however often it is asked', async () => {
    const storage = open();
    await storage.refresh();
    for (let asked = 0; asked < 100; asked++) expect(storage.latest?.databaseBytes).toBe(1_000);
    await clock.advance(999);
    expect(storage.latest?.databaseBytes).toBe(1_000);
    expect(reads).toBe(1);
    await clock.advance(1);
    expect(storage.latest?.databaseBytes).toBe(1_000);
    await settled();
    expect([storage.latest?.databaseBytes, reads]).toEqual([2_000, 2]);
  });

  it('reads again before it answers if its reading is older than a second', async () => {
    const storage = open();
    await storage.refresh();
    await clock.advance(86_400_000);
    expect((await storage.current())?.databaseBytes).toBe(2_000);
  });

  it('answers with the last reading if the database takes longer than a second, and does not read twice at once', async () => {
    const storage = open();
    await storage.refresh();
    await clock.advance(86_400_000);
    let release = (_rows: unknown[]) => {};
    answer = () => new Promise((resolve) => (release = resolve));
    const asked = storage.current();
    await clock.advance(20_000);
    expect((await asked)?.databaseBytes).toBe(1_000);
    expect(storage.latest?.databaseBytes).toBe(1_000);
    expect(reads).toBe(2);
    release([]);
    await settled();
    expect(clock.timers).toBe(0);
  });

  it('answers null if the database or its disk cannot be read', async () => {
    answer = () => Promise.reject(new Error('down'));
    expect(await open().current()).toBeNull();
    answer = () => Promise.resolve([{ database: '1', may_list_wal: false }]);
    expect(await open({ space: () => Promise.reject(new Error('gone')) }).current()).toBeNull();
  });

  it('does not read the write-ahead log if the user may not list it, and says so', async () => {
    const status = await open().current();
    expect(reads).toBe(1);
    expect(status).toMatchObject({
      walBytes: null,
      unknown: { walBytes: expect.stringContaining('grant pg_monitor') },
    });
  });
});
