import { ACCOUNT } from '@laurel/contracts';
import { USER_AREAS } from '@laurel/areas';
import { compileHistory, parseDocument } from '@laurel/configuration';
import type { RecordMetricEvent } from '@laurel/contracts';
import { Chain, DEFAULT_ENGINE_OPTIONS, DEFAULT_REBUILD_OPTIONS, Rebuild } from '@laurel/engine';
import { subjectOf } from '@laurel/testing/subjects';
import {
  clockAt,
  emptyBoards,
  histories,
  HISTORY_CONFIGURATION,
  live,
  lives,
  startEngine,
  tablesWith,
} from '@laurel/testing/histories';
import { type MemoryBatchStore, MemoryRebuildStore } from '@laurel/testing/projections';
import fc from 'fast-check';

const { document } = parseDocument(HISTORY_CONFIGURATION, 'laws');

describe('the whole chain, for any history', () => {
  it('gives the same state, effects and ranks however the events are cut into batches', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const alone = await fold(history, { batch: 1 });
        expect(await fold(history, { batch: 7 })).toEqual(alone);
        expect(await fold(history, { batch: 5_000 })).toEqual(alone);
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same when nothing stays in memory between batches, and when commits fail on the way', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.array(fc.boolean(), { maxLength: 8 }), async (history, lost) => {
        const undisturbed = await fold(history, { batch: 3 });
        for (const cachedUserBytes of [1, ABOUT_A_USER])
          expect(await fold(history, { batch: 3, cachedUserBytes })).toEqual(undisturbed);
        const faults = lost.map((after) => ({
          kind: after ? ('after' as const) : ('before' as const),
          error: new Error('connection reset'),
        }));
        expect(await fold(history, { batch: 3, faults })).toEqual(undisturbed);
      }),
      { numRuns: 40 },
    );
  });

  it('changes nothing when a history with keys is sent again', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const keyed = history.map((command, index) => ({ ...command, keyHash: `line-${index}` }));
        expect(await fold([...keyed, ...keyed], { batch: 11 })).toEqual(await fold(keyed, { batch: 11 }));
      }),
      { numRuns: 40 },
    );
  });
});

describe('the log applied again, for any life of an account', () => {
  it('gives exactly what was there, with freezes, sweeps, imports and publications, whatever the batches', async () => {
    await fc.assert(
      fc.asyncProperty(lives, fc.constantFrom(1, 7, 5_000), async (steps, maxBatch) => {
        const store = await live(steps, maxBatch);
        const stored = contentsOf(store);
        for (const batchSize of [1, 7, 5_000]) expect(await replayed(store, batchSize)).toEqual(stored);
      }),
      { numRuns: 60 },
    );
  });
});

/** Of a cache that has room for one or two of the documents. */
const ABOUT_A_USER = 1_500;

interface Folding {
  readonly batch: number;
  readonly cachedUserBytes?: number;
  readonly faults?: MemoryBatchStore['faults'];
}

/** Everything that is stored after the history, comparable. */
async function fold(
  history: readonly RecordMetricEvent[],
  { batch, cachedUserBytes = DEFAULT_ENGINE_OPTIONS.cachedUserBytes, faults = [] }: Folding,
) {
  const { engine, store, failures } = await startEngine(
    clockAt(() => Date.parse('2026-04-10T00:00:00Z')),
    { cachedUserBytes, maxBatch: batch },
  );
  await engine.publishConfiguration(ACCOUNT, document);
  // Opens the import, so that the ids that follow fall on the events alone.
  await engine.submit([{ ...OPENING, occurredAt: Date.parse('2026-04-10T00:00:00Z') }]);
  store.faults.push(...faults);
  for (let index = 0; index < history.length; index += batch) await engine.submit(history.slice(index, index + batch));
  await engine.close();
  expect(failures).toEqual([]);
  return { records: store.records, ...contentsOf(store) };
}

async function replayed(store: MemoryBatchStore, batchSize: number) {
  const boards = emptyBoards();
  const rebuilt = new MemoryRebuildStore(tablesWith(boards));
  const failures: unknown[] = [];
  const chain = new Chain(USER_AREAS, boards, (_area, _position, error) => failures.push(error));
  const options = { ...DEFAULT_REBUILD_OPTIONS, batchSize };
  await new Rebuild({ log: store, store: rebuilt, chain, compileHistory }, chain.areaNames, options).catchUp();
  expect(failures).toEqual([]);
  return contentsOf(rebuilt.written);
}

const contentsOf = (store: MemoryBatchStore) => ({
  documents: new Map([...store.documents].sort(([a], [b]) => (a < b ? -1 : 1))),
  rows: new Map([...store.rows].map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).sort()])),
});

const OPENING: RecordMetricEvent = {
  type: 'RecordMetricEvent',
  account: ACCOUNT,
  subject: subjectOf('opening'),
  metric: 'lessons',
  value: 1_000_000n,
  user: {},
  attributes: new Map(),
  keyHash: 'opening',
  occurredAt: null,
};
