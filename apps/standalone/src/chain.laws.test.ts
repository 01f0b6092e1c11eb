import { ACCOUNT, type ErasedFrom, type RecordedEvent, type RecordMetricEvent, type Subject } from '@laurel/kernel';
import { USER_AREAS } from '@laurel/all-areas';
import { compileHistory, parseDocument } from '@laurel/configuration';
import { Chain, DEFAULT_ENGINE_OPTIONS, DEFAULT_REBUILD_OPTIONS, Rebuild } from '@laurel/engine';
import { assertCovering } from '@laurel/testing/laws';
import { subjectOf } from '@laurel/testing/subjects';
import {
  clockAt,
  rebuiltBoards,
  histories,
  lesson,
  HISTORY_CONFIGURATION,
  live,
  lives,
  startEngine,
  tablesWith,
  VERSIONS,
  type Step,
} from '@laurel/testing/histories';
import { MemoryBatchStore, MemoryRebuildStore } from '@laurel/testing/projections';
import fc from 'fast-check';

const DAY_MS = 86_400_000;
const { document } = parseDocument(HISTORY_CONFIGURATION, 'laws');

describe('folding any history', () => {
  it('gives the same state, effects and ranks whatever the batch size', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const alone = await fold(history, { batch: 1 });
        expect(await fold(history, { batch: 7 })).toEqual(alone);
        expect(await fold(history, { batch: 5_000 })).toEqual(alone);
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same result with an evicting cache and with failing commits', async () => {
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

  it('changes nothing when a history with idempotency keys is sent again', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const keyed = history.map((command, index) => ({ ...command, keyHash: `line-${index}` }));
        expect(await fold([...keyed, ...keyed], { batch: 11 })).toEqual(await fold(keyed, { batch: 11 }));
      }),
      { numRuns: 40 },
    );
  });
});

describe('replaying the log of any account', () => {
  it('restores the stored rows at any batch size, with freezes, sweeps, imports and publications', async () => {
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

/** Counters of users: one less of each; in runs if the user leaves the boards. */
const COUNTERS = [
  'user_counts',
  'achievement_counts',
  'point_total_counts',
  'streak_length_counts',
  'board_run_counts',
];

describe('erasing a user', () => {
  it('changes nothing of other users except counts and the ranks below, in any history of an account', async () => {
    let [erasures, anonymous, ranked] = [0, 0, 0];
    await assertCovering(
      fc.asyncProperty(lives, async (steps) => {
        const { store, erased } = await leavesOthers(steps);
        erasures += erased.size;
        ranked += rowsOf(store, 'board_standings').filter(isOther(erased)).length;
        if (![...erased.values()].includes('remove')) anonymous += erased.size;
      }),
      { numRuns: 150 },
      () => ({ erasures: erasures > 10, anonymous: anonymous > 3, ranked: ranked > 30 }),
    );
  });

  it('changes nothing of other users right after a version that ended the streak', async () => {
    const { subject } = lesson('ada');
    const [, , , weekly] = VERSIONS;
    const { store } = await leavesOthers([
      { type: 'submit', afterMs: 3 * DAY_MS, commands: [lesson('ada')] },
      { type: 'publish', afterMs: 0, document: weekly },
      {
        ...{ type: 'submit', afterMs: 0 },
        commands: [{ type: 'EraseUser', account: ACCOUNT, subject, boards: 'anonymous', attribution: { by: 'local' } }],
      },
    ]);
    const ofStreaks = rowsOf(store, 'rank_changes').filter((row) => row.includes('"board":5'));
    expect(ofStreaks).toEqual([expect.stringContaining('"value":"1"'), expect.stringContaining('"value":"0"')]);
  });
});

/** Of these steps, with what is recorded instead of an erasure as the comparison. */
async function leavesOthers(steps: readonly Step[]) {
  const store = await live(steps, 7);
  const erased = erasuresIn(store.records);
  if (erased.size === 0) return { store, erased };
  const without = await rebuilt(store.records.map(namedInstead), 7);
  expect(othersIn(store, erased)).toEqual(othersIn(without, erased));
  if ([...erased.values()].includes('remove')) return { store, erased };
  for (const table of ['rank_changes', 'board_standings', 'board_run_counts'])
    expect(rowsOf(store, table)).toEqual(rowsOf(without, table));
  return { store, erased };
}

type Erased = ReadonlyMap<Subject, ErasedFrom>;

const erasuresIn = (records: readonly RecordedEvent[]): Erased =>
  new Map(records.flatMap(({ fact }) => (fact.type === 'UserErased' ? [[fact.subject, fact.boards] as const] : [])));

/** In its place something that changes nothing but that it settles what is due. */
const namedInstead = (record: RecordedEvent): RecordedEvent =>
  record.fact.type === 'UserErased'
    ? { ...record, fact: { type: 'UserIdentified', subject: record.fact.subject, user: {} } }
    : record;

const isOther =
  (erased: Erased) =>
  (row: string): boolean =>
    !erased.has((JSON.parse(row) as { subject?: Subject }).subject ?? -1);

const rowsOf = (store: MemoryBatchStore, table: string): readonly string[] =>
  (store.rows.get(table) ?? []).map((row) => JSON.stringify(row)).sort();

/** Documents and rows of all but the erased, and the sums of days. Ranks follow from the standings. */
const othersIn = (store: MemoryBatchStore, erased: Erased) => ({
  documents: new Map(
    [...store.documents]
      .filter(([user]) => !erased.has(Number(user.split('\0')[1])))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
  rows: new Map(
    [...store.rows.keys()]
      .filter((table) => ![...COUNTERS, 'rank_changes'].includes(table))
      .sort()
      .map((table) => [table, rowsOf(store, table).filter(isOther(erased))]),
  ),
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

const replayed = async ({ records }: MemoryBatchStore, batchSize: number) =>
  contentsOf(await rebuilt(records, batchSize));

/** The results of these records. */
async function rebuilt(records: readonly RecordedEvent[], batchSize: number): Promise<MemoryBatchStore> {
  const boards = rebuiltBoards(() => store);
  const log = new MemoryBatchStore([]);
  const prepared = Math.floor(records.length / 2);
  log.records.push(...records.slice(0, prepared));
  const store: MemoryRebuildStore = new MemoryRebuildStore(tablesWith(boards));
  const failures: unknown[] = [];
  const chain = new Chain(USER_AREAS, boards, (_area, _position, error) => failures.push(error));
  const options = { ...DEFAULT_REBUILD_OPTIONS, batchSize };
  const rebuild = new Rebuild({ log, store, chain, compileHistory }, chain.areaNames, options);
  await rebuild.catchUp();
  await rebuild.prepareTakeOver();
  log.records.push(...records.slice(prepared));
  await rebuild.catchUp();
  expect(failures).toEqual([]);
  return store.written;
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
