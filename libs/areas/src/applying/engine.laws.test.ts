import { compileHistory } from '@laurel/configuration';
import type { Outcome } from '@laurel/contracts';
import { Chain, Rebuild, type AnyDraftedArea } from '@laurel/projections';
import { subjectOf } from '@laurel/testing/subjects';
import { emptyBoards, liveOn, lives, tablesWith } from '@laurel/testing/histories';
import { type MemoryBatchStore, MemoryRebuildStore } from '@laurel/testing/projections';
import fc from 'fast-check';
import { USER_AREAS } from '../user-areas.ts';

/** Where somebody throws: at this place among the areas, the boards last; and at every record from this position on. */
const traps = fc.record({ place: fc.nat(USER_AREAS.length), position: fc.integer({ min: 2, max: 25 }) });

const sizes = fc.constantFrom(1, 2, 3, 7, 250);

describe('the engine on drafts', () => {
  it('records and answers for any life what it does on messages, each to a clone of its own', async () => {
    await fc.assert(
      fc.asyncProperty(lives, sizes, async (steps, maxBatch) => {
        const onDrafts = await liveOn(steps, { maxBatch });
        expect(onDrafts.failures).toEqual([]);
        expect(told(onDrafts)).toEqual(told(await liveOn(steps, { maxBatch, areas: USER_AREAS.map(onMessages) })));
      }),
      { numRuns: 80 },
    );
  }, 180_000);

  it('stops an area that throws alone, wherever that is, and leaves it the same to do', async () => {
    await fc.assert(
      fc.asyncProperty(lives, sizes, traps, async (steps, maxBatch, trap) => {
        const onDrafts = await liveOn(steps, { maxBatch, ...trapped(USER_AREAS, trap) });
        const careful = await liveOn(steps, { maxBatch, ...trapped(USER_AREAS.map(onMessages), trap) });
        expect(onDrafts.failures.length).toBeLessThanOrEqual(1);
        expect(told(onDrafts)).toEqual(told(careful));
      }),
      { numRuns: 120 },
    );
  }, 180_000);

  it('clones the states of a user once for a batch', async () => {
    const counts = { draft: 0, section: 0 };
    const users = ['ada', 'bob', 'eve'];
    const commands = Array.from({ length: 60 }, (_, index) => lesson(users[index % users.length] as string));
    const areas = USER_AREAS.map((area) => counting(area, counts));
    const { store, failures } = await liveOn([{ type: 'submit', afterMs: 0, commands }], { maxBatch: 250, areas });
    expect(failures).toEqual([]);
    expect(store.batchSizes).toEqual([1, 60]);
    expect(counts).toEqual({ draft: users.length * areas.length, section: 60 * areas.length });
  });

  it('makes no section when the log is applied again', async () => {
    const commands = Array.from({ length: 60 }, () => lesson('ada'));
    const { store } = await liveOn([{ type: 'submit', afterMs: 0, commands }], { maxBatch: 250 });
    const counts = { draft: 0, section: 0 };
    const boards = emptyBoards();
    const chain = new Chain(
      USER_AREAS.map((area) => counting(area, counts)),
      boards,
      () => undefined,
    );
    const rebuilt = new MemoryRebuildStore(tablesWith(boards));
    await new Rebuild({ log: store, store: rebuilt, chain, compileHistory }, chain.areaNames).catchUp();
    expect(rebuilt.written.documents).toEqual(store.documents);
    expect(counts).toEqual({ draft: USER_AREAS.length, section: 0 });
  });

  it('works out when something falls due once for a user and piece when the log is applied again, and asks for nothing else', async () => {
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
    await new Rebuild({ log: store, store: rebuilt, chain, compileHistory }, chain.areaNames).catchUp();
    expect(rebuilt.written.documents).toEqual(store.documents);
    const due = USER_AREAS.filter(({ dueAt }) => dueAt).map(({ name }) => `dueAt of ${name}`);
    expect(asked).toEqual(users.flatMap(() => due));
  });
});

/** Never on a draft. */
const onMessages = (area: AnyDraftedArea): AnyDraftedArea => ({
  ...area,
  apply: () => {
    throw new Error('not on drafts');
  },
});

function trapped(areas: readonly AnyDraftedArea[], { place, position }: { place: number; position: number }) {
  const check = (at: number): void => {
    if (at >= position) throw new Error('trapped');
  };
  const boards = emptyBoards();
  if (place === areas.length) {
    const open = boards.openLayer.bind(boards);
    boards.openLayer = (below) => {
      const layer = open(below);
      const [project, applyOccasion] = [layer.project.bind(layer), layer.applyOccasion.bind(layer)];
      layer.project = (message, configuration) => {
        check(message.record.position);
        return project(message, configuration);
      };
      layer.applyOccasion = (occasion, ...rest) => {
        check(occasion.position);
        return applyOccasion(occasion, ...rest);
      };
      return layer;
    };
  }
  const throwing = (area: AnyDraftedArea): AnyDraftedArea => ({
    ...area,
    apply: (draft, occasion, ...rest) => {
      area.apply(draft, occasion, ...rest);
      check(occasion.position);
    },
    project: (state, message, configuration) => {
      check(message.record.position);
      return area.project(state, message, configuration);
    },
  });
  return { boards, areas: areas.map((area, index) => (index === place ? throwing(area) : area)) };
}

const counting = (area: AnyDraftedArea, counts: { draft: number; section: number }): AnyDraftedArea => ({
  ...area,
  draft: (...given) => {
    counts.draft++;
    return area.draft(...given);
  },
  section: (...given) => {
    counts.section++;
    return area.section(...given);
  },
});

/** Tells what is asked that only answers and sweeps read. */
const listening = (area: AnyDraftedArea, asked: string[]): AnyDraftedArea => {
  const told = { ...area };
  for (const name of ['dueAt', 'settleBound', 'owed', 'view', 'section'] as const) {
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

/** All that anybody can see of a life. */
const told = ({ store, outcomes }: { store: MemoryBatchStore; outcomes: readonly Outcome[] }) => ({
  outcomes: outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome : { ...outcome, configuration: null })),
  records: store.records,
  documents: store.documents,
  rows: new Map([...store.rows].map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).sort()])),
  due: store.due,
  inbox: store.inbox,
  checkpoints: store.checkpoints,
});

const lesson = (user: string) => ({
  type: 'RecordMetricEvent' as const,
  account: 'default',
  subject: subjectOf(user),
  metric: 'lessons',
  value: 1_000_000n,
  user: {},
  attributes: new Map<string, string>(),
  keyHash: null,
  occurredAt: null,
});
