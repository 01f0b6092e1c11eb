import { achievementsArea } from '@laurel/achievements';
import { compileHistory, parseDocument } from '@laurel/configuration';
import type { AreaTable, Clock, RecordMetricEvent } from '@laurel/contracts';
import { LeaderboardsArea } from '@laurel/leaderboards';
import { pointsArea } from '@laurel/points';
import { Chain, DEFAULT_ENGINE_OPTIONS, Engine, type AnyUserArea } from '@laurel/projections';
import { streaksArea } from '@laurel/streaks';
import { MemoryBatchStore } from '@laurel/testing';
import { usersArea } from '@laurel/users';
import fc from 'fast-check';
import { ACCOUNT } from './start-service.ts';
import { HISTORY_CONFIGURATION, histories } from './testing/histories.ts';

const USER_AREAS = [usersArea, streaksArea, achievementsArea, pointsArea] as readonly AnyUserArea[];
const { document } = parseDocument(HISTORY_CONFIGURATION, 'laws');

describe('the whole chain, for any history', () => {
  it('gives the same state, effects and ranks however the events are cut into batches', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const alone = await fold(history, { batch: 1 });
        expect(await fold(history, { batch: 7 })).toEqual(alone);
        expect(await fold(history, { batch: 5_000 })).toEqual(alone);
      }),
      { numRuns: 120 },
    );
  });

  it('gives the same when nothing stays in memory between batches, and when commits fail on the way', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.array(fc.boolean(), { maxLength: 8 }), async (history, lost) => {
        const undisturbed = await fold(history, { batch: 3 });
        expect(await fold(history, { batch: 3, cachedUsers: 1 })).toEqual(undisturbed);
        const faults = lost.map((after) => ({
          kind: after ? ('after' as const) : ('before' as const),
          error: new Error('connection reset'),
        }));
        expect(await fold(history, { batch: 3, faults })).toEqual(undisturbed);
      }),
      { numRuns: 80 },
    );
  });

  it('changes nothing when a history with keys is sent again', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const keyed = history.map((command, index) => ({ ...command, idempotencyKey: `line-${index}` }));
        expect(await fold([...keyed, ...keyed], { batch: 11 })).toEqual(await fold(keyed, { batch: 11 }));
      }),
      { numRuns: 60 },
    );
  });
});

interface Folding {
  readonly batch: number;
  readonly cachedUsers?: number;
  readonly faults?: MemoryBatchStore['faults'];
}

/** Everything that is stored after the history, comparable. */
async function fold(history: readonly RecordMetricEvent[], { batch, cachedUsers = 1_000, faults = [] }: Folding) {
  const boards = new LeaderboardsArea({ query: () => Promise.resolve([]) });
  const tables: readonly AreaTable[] = [...USER_AREAS.flatMap((area) => area.tables), ...boards.tables];
  const store = new MemoryBatchStore(tables);
  const failures: unknown[] = [];
  let ids = 0;
  const engine = await Engine.start(
    {
      store,
      log: store as never,
      chain: new Chain(USER_AREAS, boards, (_area, _position, error) => failures.push(error)),
      clock,
      newEventId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
      originalDates: (keys) => Promise.resolve(keys.map(() => '2026-03-10')),
      compileHistory,
      openRebuild: () => Promise.reject(new Error('no rebuild here')),
      onLaneState: () => undefined,
      onSweepFailure: () => undefined,
    },
    [ACCOUNT],
    { ...DEFAULT_ENGINE_OPTIONS, cachedUsers, maxBatch: batch },
  );
  await engine.publishConfiguration(ACCOUNT, document);
  // Opens the import, so that the ids that follow fall on the events alone.
  await engine.submit([{ ...OPENING, occurredAt: clock.now() }]);
  store.faults.push(...faults);
  for (let index = 0; index < history.length; index += batch) await engine.submit(history.slice(index, index + batch));
  await engine.close();
  expect(failures).toEqual([]);
  return {
    records: store.records,
    documents: store.documents,
    rows: new Map([...store.rows].map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).sort()])),
  };
}

const OPENING: RecordMetricEvent = {
  type: 'RecordMetricEvent',
  account: ACCOUNT,
  userId: 'opening',
  metric: 'lessons',
  value: 1_000_000n,
  user: {},
  attributes: new Map(),
  idempotencyKey: 'opening',
  occurredAt: null,
};

const clock: Clock = {
  now: () => Date.parse('2026-04-10T00:00:00Z'),
  elapsedMs: () => 0,
  after: (delayMs, task) => {
    if (delayMs >= 10_000) return () => undefined;
    const immediate = setImmediate(task);
    return () => clearImmediate(immediate);
  },
};
