import { compileHistory } from '@laurel/configuration';
import {
  correctedLives,
  emptyBoards,
  lesson,
  lateMistakes,
  lateReportOf,
  lateReports,
  rebuiltBoards,
  liveOn,
  MISTAKE,
  mistakes,
  SETTLING,
  standingsOf,
  sweptOrNot,
  tablesWith,
  type LateReport,
  type Step,
} from '@laurel/testing/histories';
import { Chain, Rebuild } from '@laurel/engine';
import { MemoryRebuildStore, type MemoryBatchStore } from '@laurel/testing/projections';
import { isPointsRequest, type GiveGrant, type RecordedEvent, type Row, type UserCommand } from '@laurel/kernel';
import type { LeaderboardsArea } from '@laurel/leaderboards';
import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import { USER_AREAS } from '../user-areas.ts';

const SWEEP: Step = { type: 'sweep', afterMs: 0 };
const HOUR = 3_600_000;
const LESSON = lesson('ada');
const BOOST: GiveGrant = {
  type: 'GiveGrant',
  account: LESSON.account,
  subject: LESSON.subject,
  grant: { kind: 'boost', system: 'xp', name: 'Double', multiplier: 200, rounding: 'up', lasts: { minutes: 30 * 60 } },
  keyHash: null,
  attribution: { by: 'local', reason: 'because' },
};
const sizes = fc.constantFrom(1, 2, 7, 250);

describe('a correction', () => {
  it('leaves the state that a rebuild from the event store gives, for any sequence of events', async () => {
    let corrections = 0;
    await assertCovering(
      fc.asyncProperty(correctedLives, sizes, sizes, async (steps, maxBatch, batchSize) => {
        const boards = emptyBoards();
        const { store, failures } = await liveOn(steps, { maxBatch, boards });
        expect(failures).toEqual([]);
        const rebuilt = await rebuiltFrom(store, batchSize);
        expect(rebuilt.store.documents).toEqual(store.documents);
        expect(rowsOf(rebuilt.store)).toEqual(rowsOf(store));
        expect(await allStandings(rebuilt.boards, store)).toEqual(await allStandings(boards, store));
        corrections += store.records.filter(({ fact }) => fact.type === 'CorrectionRecorded').length;
      }),
      { numRuns: 160 },
      () => ({ corrections: corrections > 120 }),
    );
  });

  it('that retracts an event at once leaves the user as if the event had never been sent', async () => {
    let compared = 0;
    await assertCovering(
      fc.asyncProperty(mistakes, sizes, async ({ steps, place, event }, maxBatch) => {
        const at = place % (steps.length + 1);
        // Like a correction an event gives what has fallen due, and without either the next sweep does.
        const past = [...steps.slice(0, at), SWEEP];
        const retraction: Step = {
          type: 'correct',
          afterMs: 0,
          subject: event.subject,
          corrections: [{ place: 0, retract: true }],
          achievements: 'recompute',
          finalRuns: 'keep',
        };
        const mistake: readonly Step[] = [{ type: 'submit', afterMs: 0, commands: [event] }, retraction];
        const { store: corrected } = await liveOn([...past, ...mistake, ...steps.slice(at), SWEEP], { maxBatch });
        // Who was not known before stays known: they may get grants, and count among the users.
        const [first] = corrected.records.filter(({ fact }) => 'subject' in fact && fact.subject === event.subject);
        const isFirst = first !== undefined && corrected.records[first.position]?.fact.type === 'CorrectionRecorded';
        if (isFirst) return;
        const { store: never } = await liveOn([...past, ...steps.slice(at), SWEEP], { maxBatch });
        compared++;
        expectSameLife(corrected, never);
      }),
      { numRuns: 300 },
      () => ({ compared: compared > 100 }),
    );
  });

  it('of an old event leaves the user as if the event had always been recorded that way', async () => {
    let [changed, published, erased] = [0, 0, 0];
    await assertCovering(
      fc.asyncProperty(lateMistakes, sizes, async ({ past, wrong, right, after, change, subject }, maxBatch) => {
        const sent = [...past, wrong, ...after, SWEEP];
        const { store } = await liveOn(sent, { maxBatch });
        const own = store.records.filter(({ fact }) => 'subject' in fact && fact.subject === subject).toReversed();
        const place = own.findIndex(({ fact }) => 'attributes' in fact && fact.attributes.has(MISTAKE));
        const correction: Step = {
          type: 'correct',
          afterMs: 0,
          subject,
          corrections: [{ place, ...change }],
          achievements: 'recompute',
          finalRuns: 'change',
        };
        // A correction settles the user under the version in force; the last event of the other life may be older than that version.
        const { store: corrected, outcomes } = await liveOn([...sent, correction, SETTLING, SWEEP], { maxBatch });
        expect(outcomes.at(-1 - SETTLING.commands.length)).toMatchObject({ kind: 'recorded' });
        const life = [...past, ...right, ...after, SWEEP, SETTLING, SWEEP];
        const { store: always } = await liveOn(decidedAs(corrected, life), { maxBatch });
        if (textOf(sumsIn(store)) !== textOf(sumsIn(always))) changed++;
        published += after.filter(({ type }) => type === 'publish').length;
        erased += store.records.filter(({ fact }) => fact.type === 'UserErased').length;
        expectSameLife(corrected, always);
      }),
      { numRuns: 100 },
      () => ({ changed: changed > 30, published: published > 5, erased: erased > 5 }),
    );
  });
});

describe('an event that was reported late', () => {
  it('counts as if it had been reported in time once its instant is amended', async () => {
    let [changed, longer] = [0, 0];
    await assertCovering(
      fc.asyncProperty(lateReports, sizes, async (report, maxBatch) => {
        const { store, corrected, always } = await amendedLives(report, maxBatch);
        if (textOf(sumsIn(store)) !== textOf(sumsIn(always))) changed++;
        if ((store.rows.get('streak_periods')?.length ?? 0) < (always.rows.get('streak_periods')?.length ?? 0))
          longer++;
        expectSameLife(corrected, always);
      }),
      { numRuns: 100 },
      () => ({ changed: changed > 30, longer: longer > 3 }),
    );
  });

  it.each<[string, Partial<LateReport>]>([
    [
      'an import comes after a sweep that would not have been due without it',
      {
        after: [
          { ...SETTLING, afterMs: 10 * HOUR },
          { ...SWEEP, afterMs: 7 * HOUR },
          { type: 'import', afterMs: 0, hoursBefore: 6, events: [{ ...LESSON, value: 2_000_000n }] },
        ],
      },
    ],
    [
      'a boost of the user would have multiplied its award',
      { before: [{ type: 'submit', afterMs: 0, commands: [BOOST] }], after: [{ ...SWEEP, afterMs: 31 * HOUR }] },
    ],
  ])('counts so where %s', async (_, steps) => {
    const { corrected, always } = await amendedLives(
      lateReportOf({ before: [], after: [], event: LESSON, ...steps }),
      250,
    );
    expectSameLife(corrected, always);
  });

  it('is not multiplied by a boost of the user that had ended when it was recorded', async () => {
    const { subject } = LESSON;
    const report = { ...LESSON, attributes: new Map([[MISTAKE, 'yes']]) };
    const submit = (afterMs: number, ...commands: UserCommand[]): Step => ({ type: 'submit', afterMs, commands });
    const past = [submit(0, LESSON), submit(HOUR, BOOST)];
    const inTime = [...past, submit(HOUR, report)];
    const late = [...past, submit(31 * HOUR, report)];
    const { corrected, always } = await amendedLives({ inTime, late, subject }, 250);
    const pointsIn = (store: MemoryBatchStore) =>
      sumsIn(store).points.find(([user]) => user.includes(String(subject)))?.[1];
    expect(pointsIn(always)).toBe(33_000_000);
    expect(pointsIn(corrected)).toBe(23_000_000);
  });
});

/** The life with the late report, the same with its correction, and the one in which it was reported in time. */
async function amendedLives({ inTime, late, subject }: ReturnType<typeof lateReportOf>, maxBatch: number) {
  const { store: reported } = await liveOn(inTime, { maxBatch });
  const isReport = ({ fact }: RecordedEvent) => 'attributes' in fact && fact.attributes.has(MISTAKE);
  const occurredAt = reported.records.find(isReport)?.occurredAt;
  if (occurredAt === undefined) throw new Error('nothing was reported');
  const { store } = await liveOn([...late, SWEEP], { maxBatch });
  const own = store.records.filter(({ fact }) => 'subject' in fact && fact.subject === subject).toReversed();
  const correction: Step = {
    type: 'correct',
    afterMs: 0,
    subject,
    corrections: [{ place: own.findIndex(isReport), occurredAt }],
    achievements: 'recompute',
    finalRuns: 'change',
  };
  const steps = [...late, SWEEP, correction, SETTLING, SWEEP];
  const { store: corrected, outcomes } = await liveOn(steps, { maxBatch });
  expect(outcomes.at(-1 - SETTLING.commands.length)).toMatchObject({ kind: 'recorded' });
  const { store: always } = await liveOn(decidedAs(corrected, [...inTime, SWEEP, SETTLING, SWEEP]), { maxBatch });
  return { store, corrected, always };
}

function expectSameLife(corrected: MemoryBatchStore, always: MemoryBatchStore): void {
  expect(statesIn(corrected)).toEqual(statesIn(always));
  expect(periodsAndCompletions(corrected)).toEqual(periodsAndCompletions(always));
  expect(sumsIn(corrected)).toEqual(sumsIn(always));
  expect(valuesIn(corrected)).toEqual(valuesIn(always));
}

describe('a moved event', () => {
  it('counts the same whether or not a sweep came in between', async () => {
    let [moved, between] = [0, 0];
    await assertCovering(
      fc.asyncProperty(sweptOrNot, sizes, async ({ swept, unswept }, maxBatch) => {
        const end = [SETTLING, SWEEP];
        const { store: some } = await liveOn([...swept, ...end], { maxBatch });
        const { store: others } = await liveOn([...unswept, ...end], { maxBatch });
        const isMove = ({ fact }: RecordedEvent) => fact.type === 'CorrectionRecorded';
        moved += others.records.filter(isMove).length;
        between += some.records.length - others.records.length;
        expect(some.records.filter(isMove).length).toBe(others.records.filter(isMove).length);
        expect(periodsAndCompletions(some)).toEqual(periodsAndCompletions(others));
        expect(sumsIn(some)).toEqual(sumsIn(others));
        expect(valuesIn(some)).toEqual(valuesIn(others));
      }),
      { numRuns: 60 },
      () => ({ moved: moved > 60, between: between > 60 }),
    );
  });
});

async function rebuiltFrom(log: MemoryBatchStore, batchSize: number) {
  const boards = rebuiltBoards(() => rebuilt);
  const rebuilt: MemoryRebuildStore = new MemoryRebuildStore(tablesWith(boards));
  const chain = new Chain(USER_AREAS, boards, () => undefined);
  const options = { batchSize, cachedUserBytes: 1 << 20, heldBytes: 1 << 20, standingsBytes: 1 << 20 };
  const rebuild = new Rebuild({ log, store: rebuilt, chain, compileHistory }, chain.areaNames, options);
  await rebuild.catchUp();
  await rebuild.prepareTakeOver();
  return { store: rebuilt.written, boards };
}

const allStandings = (boards: LeaderboardsArea, { rows }: MemoryBatchStore) =>
  standingsOf(
    boards,
    (rows.get('board_standings') ?? []).map((row) => `${String(row['board'])}\0${String(row['run_start'])}`),
  );

/** On the boards. Of those who reached a value at one instant the first recorded is first: that may differ. */
const valuesIn = ({ rows }: MemoryBatchStore) =>
  (rows.get('board_standings') ?? [])
    .filter(({ value }) => Number(value) > 0)
    .map(({ board, run_start, subject, value, reached_at }) => textOf({ board, run_start, subject, value, reached_at }))
    .sort();

/** The steps with the verdicts that the store's log has: a correction leaves them as they are. */
function decidedAs({ records }: MemoryBatchStore, steps: readonly Step[]): readonly Step[] {
  const verdicts = new Map(
    records.flatMap(({ fact }) => (isPointsRequest(fact) && fact.verdict ? [[fact.keyHash, fact.verdict]] : [])),
  );
  const decided = (command: UserCommand): UserCommand => {
    const verdict = command.type === 'RequestPoints' ? verdicts.get(command.keyHash) : undefined;
    return command.type === 'RequestPoints' && verdict !== undefined
      ? { ...command, request: { ...command.request, verdict } }
      : command;
  };
  return steps.map((step) => (step.type === 'submit' ? { ...step, commands: step.commands.map(decided) } : step));
}

/** By user. A state of points holds the position of its last event; what counts by trigger, and achievements, are in the order of some version. */
const statesIn = ({ documents }: MemoryBatchStore) =>
  new Map(
    [...documents].map(([user, text]) => [
      user,
      JSON.parse(text, (key, value: unknown) => (key === 'position' ? undefined : inOneOrder(key, value))) as unknown,
    ]),
  );

/** Lists of what begins with a key are maps. What is left of spends is by position, and a boost has the id of its grant; both differ. */
const inOneOrder = (key: string, value: unknown): unknown =>
  isBoost(value)
    ? value.slice(1)
    : isLeftOfSpends(value)
      ? value.map(([, left]) => left)
      : Array.isArray(value) && (key === 'achievements' || value.every(beginsWithKey))
        ? value.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
        : value;

const isLeftOfSpends = (value: unknown): value is readonly (readonly [number, string])[] =>
  Array.isArray(value) &&
  value.every((one) => Array.isArray(one) && typeof one[0] === 'number' && typeof one[1] === 'string');

const isBoost = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length === 6 && /^[\da-f-]{36}$/.test(String(value[0]));

const beginsWithKey = (one: unknown): boolean => Array.isArray(one) && typeof one[0] === 'string';

const periodsAndCompletions = ({ rows }: MemoryBatchStore) =>
  [
    'streak_periods',
    'achievement_completions',
    'points_levels',
    'streak_length_counts',
    'achievement_counts',
    'metric_day_counts',
    'user_day_counts',
    'user_counts',
    'point_total_counts',
  ].map((table) =>
    (rows.get(table) ?? [])
      .filter((row) => row['achieved_at'] !== null && row['level'] !== null && !isZero(row))
      .map(({ position: _, reached_at: __, ...row }) => textOf(row))
      .sort(),
  );

/**
 * What metrics change by on each date, and systems altogether: the award of a correction is dated at the correction, so the points of a date
 * differ.
 */
const sumsIn = ({ rows }: MemoryBatchStore) => ({
  metrics: summed(rows.get('metric_months'), ({ subject, metric, month }, day) =>
    textOf([subject, metric, month, day]),
  ),
  points: summed(rows.get('points_months'), ({ subject, system }) => textOf([subject, system])),
  days: added(
    (rows.get('point_day_counts') ?? []).map((row) => [
      String(row['system']),
      Number(row['awarded']) - Number(row['consumed']),
    ]),
  ),
});

/** Changes of months, added up. */
const summed = (rows: readonly Row[] = [], keyOf: (row: Row, day: string) => string) =>
  added(rows.flatMap((row) => pairsOf(row['days']).map(([day, change]) => [keyOf(row, day), change] as const)));

function added(changes: readonly (readonly [string, number])[]) {
  const sums = new Map<string, number>();
  for (const [key, change] of changes) sums.set(key, (sums.get(key) ?? 0) + change);
  return [...sums].filter(([, sum]) => sum !== 0).sort();
}

/** Days of a month, and the change on each. */
function pairsOf(days: unknown): readonly (readonly [string, number])[] {
  const list = days as readonly unknown[];
  return list.flatMap((day, place) => (place % 2 === 0 ? [[String(day), Number(list[place + 1])] as const] : []));
}

const COUNTS = ['reached', 'ended', 'completions', 'events', 'total', 'new_users', 'active_users', 'users'];
const isZero = (row: Readonly<Record<string, unknown>>): boolean => {
  const counts = COUNTS.filter((column) => column in row);
  return counts.length > 0 && counts.every((column) => Number(row[column]) === 0);
};

const rowsOf = ({ rows }: MemoryBatchStore) =>
  new Map([...rows].map(([table, all]) => [table, all.map(textOf).sort()]));

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return String(inner);
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
