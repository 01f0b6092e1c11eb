import { compileHistory } from '@laurel/configuration';
import { AREAS, type AreaName, type CommandResult } from '@laurel/kernel';
import type { LeaderboardsArea } from '@laurel/leaderboards';
import { type AnyUserArea, Chain, Rebuild } from '@laurel/engine';
import {
  BEGINNING,
  clockAt,
  emptyBoards,
  rebuiltBoards,
  inSteps,
  lesson,
  liveOn,
  lives,
  startEngine,
  tablesWith,
} from '@laurel/testing/histories';
import { type MemoryBatchStore, MemoryRebuildStore } from '@laurel/testing/projections';
import fc from 'fast-check';
import { USER_AREAS } from '../user-areas.ts';

/** Where somebody throws: at this place among the areas, the boards last; and at every record from this position on. */
const traps = fc.record({ place: fc.nat(USER_AREAS.length), position: fc.integer({ min: 2, max: 25 }) });

const sizes = fc.constantFrom(1, 2, 3, 7, 250);

describe('the engine, for any sequence of commands', () => {
  it('records and answers what the areas produce for each event alone', async () => {
    await fc.assert(
      fc.asyncProperty(lives, sizes, async (steps, maxBatch) => {
        const { store, outcomes, failures } = await liveOn(steps, { maxBatch });
        expect(failures).toEqual([]);
        await expectAnswers(store, outcomes, () => []);
        await expectRebuilt(store);
      }),
      { numRuns: 80 },
    );
  });

  it('halts only the area that throws and those behind it, and keeps all later events for them', async () => {
    await fc.assert(
      fc.asyncProperty(lives, sizes, traps, async (steps, maxBatch, trap) => {
        const { areas, boards, disarm } = trapped(USER_AREAS, trap);
        const { store, outcomes, failures } = await liveOn(steps, { maxBatch, areas, boards });
        expect(failures.length).toBeLessThanOrEqual(1);
        const stopped = AREAS.slice(trap.place);
        await expectAnswers(store, outcomes, (position) => (position < trap.position ? [] : stopped));
        expect(new Set(store.inbox.map(({ area }) => area)).size).toBeLessThanOrEqual(1);
        disarm();
        await catchUp(store, boards);
        await expectRebuilt(store);
      }),
      { numRuns: 120 },
    );
  });

  it('clones the states of a user once per batch', async () => {
    const counts = { draft: 0, answerPart: 0 };
    const users = ['ada', 'bob', 'eve'];
    const commands = Array.from({ length: 60 }, (_, index) => lesson(users[index % users.length] as string));
    const areas = USER_AREAS.map((area) => counting(area, counts));
    const { store, failures } = await liveOn([{ type: 'submit', afterMs: 0, commands }], { maxBatch: 250, areas });
    expect(failures).toEqual([]);
    expect(store.batchSizes).toEqual([1, 60]);
    expect(counts).toEqual({ draft: users.length * areas.length, answerPart: 60 * areas.length });
  });

  it('makes no answer parts during a rebuild', async () => {
    const commands = Array.from({ length: 60 }, () => lesson('ada'));
    const { store } = await liveOn([{ type: 'submit', afterMs: 0, commands }], { maxBatch: 250 });
    const counts = { draft: 0, answerPart: 0 };
    const boards = emptyBoards();
    const chain = new Chain(
      USER_AREAS.map((area) => counting(area, counts)),
      boards,
      () => undefined,
    );
    const rebuilt = new MemoryRebuildStore(tablesWith(boards));
    const rebuild = new Rebuild({ log: store, store: rebuilt, chain, compileHistory }, chain.areaNames);
    await rebuild.catchUp();
    await rebuild.prepareTakeOver();
    expect(rebuilt.written.documents).toEqual(store.documents);
    expect(counts).toEqual({ draft: USER_AREAS.length, answerPart: 0 });
  });

  it('computes one due date per user and chunk during a rebuild, and no views', async () => {
    const users = ['ada', 'bob', 'eve'];
    const commands = Array.from({ length: 60 }, (_, index) => lesson(users[index % users.length] as string));
    const { store } = await liveOn([{ type: 'submit', afterMs: 0, commands }], { maxBatch: 250 });
    const asked: string[] = [];
    const boards = emptyBoards();
    const chain = new Chain(
      USER_AREAS.map((area) => listening(area, asked)),
      boards,
      () => undefined,
    );
    const rebuilt = new MemoryRebuildStore(tablesWith(boards));
    const rebuild = new Rebuild({ log: store, store: rebuilt, chain, compileHistory }, chain.areaNames);
    await rebuild.catchUp();
    await rebuild.prepareTakeOver();
    expect(rebuilt.written.documents).toEqual(store.documents);
    const due = USER_AREAS.filter(({ dueAt }) => dueAt).map(({ name }) => `dueAt of ${name}`);
    expect(asked).toEqual(users.flatMap(() => due));
  });
});

/** Answers show what the areas say of each event alone, but for those that are pending. An import is told nothing but receipts. */
async function expectAnswers(
  { records }: MemoryBatchStore,
  outcomes: readonly CommandResult[],
  pendingAt: (position: number) => readonly AreaName[],
): Promise<void> {
  const alone = await inSteps(records, { cuts: [], stored: true });
  const sections = new Map(alone.outcomes.map(({ position }, index) => [position, alone.sections[index]]));
  for (const outcome of outcomes) {
    if (outcome.kind !== 'recorded') continue;
    const { position } = outcome;
    const pending = pendingAt(position);
    const fact = records.find((record) => record.position === position)?.fact;
    const isImported = fact?.type === 'MetricEventRecorded' && fact.imported;
    const shown = isImported ? [] : AREAS.filter((area) => !pending.includes(area));
    expect(outcome.pending).toEqual(pending);
    expect(outcome.sections).toEqual(Object.fromEntries(shown.map((area) => [area, sections.get(position)?.[area]])));
  }
}

/** A start with areas that throw no more. */
async function catchUp(store: MemoryBatchStore, boards: LeaderboardsArea): Promise<void> {
  const { engine, failures } = await startEngine(
    clockAt(() => BEGINNING),
    {},
    USER_AREAS,
    boards,
    store,
  );
  await engine.close();
  expect([failures, store.inbox]).toEqual([[], []]);
}

/** What is stored is what the log gives when it is applied again. */
async function expectRebuilt(store: MemoryBatchStore): Promise<void> {
  const boards = rebuiltBoards(() => rebuilt);
  const rebuilt: MemoryRebuildStore = new MemoryRebuildStore(tablesWith(boards));
  const chain = new Chain(USER_AREAS, boards, () => undefined);
  const rebuild = new Rebuild({ log: store, store: rebuilt, chain, compileHistory }, chain.areaNames);
  await rebuild.catchUp();
  await rebuild.prepareTakeOver();
  expect(rebuilt.written.documents).toEqual(store.documents);
  expect(rowsOf(rebuilt.written)).toEqual(rowsOf(store));
}

function trapped(areas: readonly AnyUserArea[], { place, position }: { place: number; position: number }) {
  let armed = true;
  const check = (at: number): void => {
    if (armed && at >= position) throw new Error('trapped');
  };
  const boards = emptyBoards();
  if (place === areas.length) {
    const open = boards.openLayer.bind(boards);
    boards.openLayer = (below) => {
      const layer = open(below);
      const apply = layer.apply.bind(layer);
      layer.apply = (occasion, ...rest) => {
        check(occasion.position);
        return apply(occasion, ...rest);
      };
      return layer;
    };
  }
  const throwing = (area: AnyUserArea): AnyUserArea => ({
    ...area,
    apply: (draft, occasion, ...rest) => {
      area.apply(draft, occasion, ...rest);
      check(occasion.position);
    },
  });
  return {
    boards,
    areas: areas.map((area, index) => (index === place ? throwing(area) : area)),
    disarm: () => {
      armed = false;
    },
  };
}

const counting = (area: AnyUserArea, counts: { draft: number; answerPart: number }): AnyUserArea => ({
  ...area,
  draft: (...given) => {
    counts.draft++;
    return area.draft(...given);
  },
  answerPart: (...given) => {
    counts.answerPart++;
    return area.answerPart(...given);
  },
});

/** Tells what is asked that only answers and sweeps read. */
const listening = (area: AnyUserArea, asked: string[]): AnyUserArea => {
  const told = { ...area };
  for (const name of ['dueAt', 'settleBound', 'owed', 'view', 'answerPart'] as const) {
    const answer = area[name] as ((...given: readonly unknown[]) => unknown) | undefined;
    if (!answer) continue;
    const listen = (...given: readonly unknown[]): unknown => {
      asked.push(`${name} of ${area.name}`);
      return answer(...given);
    };
    Object.assign(told, { [name]: listen });
  }
  return told;
};

const rowsOf = ({ rows }: MemoryBatchStore) =>
  new Map([...rows].map(([table, own]) => [table, own.map((row) => JSON.stringify(row)).sort()]));
