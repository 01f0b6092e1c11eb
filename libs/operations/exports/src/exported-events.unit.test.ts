import type { RecordedEvent } from '@laurel/kernel';
import { exportedEvents } from './exported-events.ts';
import { arrayChunks } from './exported-user.ts';

const RECORDS = Array.from({ length: 5_000 }, (_, n): RecordedEvent => ({
  position: n + 1,
  eventId: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  account: 'default',
  configurationVersion: 1,
  occurredAt: n,
  recordedAt: n,
  fact: { type: 'UserIdentified', subject: 1, user: {} },
}));

describe('an export', () => {
  it('can be stopped after each page of the event store, even if it finds nothing', async () => {
    let reads = 0;
    const log = {
      head: () => Promise.resolve(RECORDS.length),
      read: (after: number, limit: number) => {
        reads++;
        return Promise.resolve(RECORDS.slice(after, after + limit));
      },
    };
    const directory = { idsOf: () => Promise.reject(new Error('nobody is asked for')) };
    const pages = exportedEvents({ log, directory }, 'default', { from: null, to: null });
    expect(await pages.next()).toEqual({ done: false, value: [] });
    expect(reads).toBe(1);
    await pages.return();
    expect(reads).toBe(1);
  });

  it('yields a chunk per page, and valid JSON in total', async () => {
    const pages = async function* () {
      yield* [[], [1], [], [2, 3], []];
    };
    const chunks: string[] = [];
    for await (const chunk of arrayChunks(pages(), (n) => ({ n }))) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk === '')).toEqual([true, false, true, false, true, false]);
    expect(JSON.parse(chunks.join(''))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });
});
