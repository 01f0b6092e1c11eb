import type { AreaName } from '@laurel/kernel';
import { createClock } from '@laurel/runtime';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { LOG } from '@laurel/event-store';
import { INGESTION_MIGRATIONS } from '@laurel/processes';
import { atRest } from './at-rest.ts';

const clock = createClock({ type: 'system' });
const NOBODY = new AbortController().signal;

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(INGESTION_MIGRATIONS);
});

afterEach(() => database.close());

const headOf = async (): Promise<number> => {
  const [row] = await database.sql.query<{ position: string }>('select position from log_head', []);
  return Number(row?.position);
};

const append = () => database.sql.query('update log_head set position = position + 1', []);

interface Given {
  readonly pendingAt: (position: number) => Promise<readonly AreaName[]>;
  readonly stopped?: AbortSignal;
}

const rest = ({ pendingAt, stopped = NOBODY }: Given, task: () => Promise<void>) =>
  atRest({ connection: database.connection, tables: LOG, clock, head: headOf, pendingAt, stopped }, task);

describe('a task at rest', () => {
  it('keeps everybody from appending until it has ended', async () => {
    const order: string[] = [];
    let appending: Promise<unknown> = Promise.resolve();
    await rest({ pendingAt: () => Promise.resolve([]) }, async () => {
      appending = append().then(() => order.push('appended'));
      await new Promise((resolve) => setTimeout(resolve, 200));
      order.push('done');
    });
    await appending;
    expect(order).toEqual(['done', 'appended']);
  });

  it('waits again when the services have not caught up once the log is held', async () => {
    const waitedFor: number[] = [];
    const pending: AreaName[][] = [[], ['points'], [], []];
    let held = -1;
    await rest(
      {
        pendingAt: async (position) => {
          waitedFor.push(position);
          if (waitedFor.length === 1) await append();
          return pending[waitedFor.length - 1] ?? [];
        },
      },
      async () => {
        held = await headOf();
      },
    );
    expect([waitedFor, held]).toEqual([[0, 1, 1, 1], 1]);
  });

  it('does not run while an area has stopped', async () => {
    let runs = 0;
    const task = () => Promise.resolve(void runs++);
    await expect(rest({ pendingAt: () => Promise.resolve(['points', 'leaderboards']) }, task)).rejects.toThrow(
      'not every area applies the whole log, so there is no moment to compare: points, leaderboards',
    );
    expect(runs).toBe(0);
    await append();
  });

  it('releases the log when it fails or the hold is lost', async () => {
    const pendingAt = () => Promise.resolve([]);
    await expect(rest({ pendingAt }, () => Promise.reject(new Error('no snapshot')))).rejects.toThrow('no snapshot');
    const lost = rest({ pendingAt }, async () => {
      await database.sql.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'laurel-hold'",
        [],
      );
    });
    await expect(lost).rejects.toThrow();
    await append();
    expect(await headOf()).toBe(1);
  });

  it('does not start in a process that stops', async () => {
    const stopped = AbortSignal.abort(new Error('the process is stopping'));
    const looked = rest({ pendingAt: () => Promise.resolve([]), stopped }, () => Promise.resolve());
    await expect(looked).rejects.toThrow('the process is stopping');
  });
});
