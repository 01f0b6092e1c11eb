import { jest } from '@jest/globals';
import * as crypto from 'node:crypto';
import type { Step } from './award-ids.fixture.ts';

/** Ids of awards made. Nothing else that is loaded here takes this hash. */
let made = 0;
jest.unstable_mockModule('node:crypto', () => ({
  ...crypto,
  hash: (...given: Parameters<typeof crypto.hash>) => {
    if (given[0] === 'sha1') made++;
    return crypto.hash(...given);
  },
}));

const { Chain, MemoryRebuildStore, Rebuild, USER_AREAS, compileHistory, emptyBoards, lesson, live, tablesWith } =
  await import('./award-ids.fixture.ts');

const EVENTS = 20;
const events = Array.from({ length: EVENTS }, () => lesson('ada'));
const ANSWERED: Step = { type: 'submit', afterMs: 0, commands: events };
const IMPORTED: Step = { type: 'import', afterMs: 0, events, hoursBefore: 1 };

beforeEach(() => {
  made = 0;
});

describe('the ids of awards', () => {
  it('are made for answers, at least one per answered event', async () => {
    await live([ANSWERED], 250);
    expect(made).toBeGreaterThanOrEqual(EVENTS);
  });

  it.each([1, 250])('are not made for imported events, %i in a batch', async (maxBatch) => {
    const store = await live([IMPORTED], maxBatch);
    expect(store.records.length).toBeGreaterThan(EVENTS);
    expect(made).toBe(0);
  });

  it('are not made during a rebuild', async () => {
    const store = await live([ANSWERED], 250);
    made = 0;
    const boards = emptyBoards();
    const chain = new Chain(USER_AREAS, boards, () => undefined);
    const rebuilt = new MemoryRebuildStore(tablesWith(boards));
    const rebuild = new Rebuild({ log: store, store: rebuilt, chain, compileHistory }, chain.areaNames);
    await rebuild.catchUp();
    await rebuild.prepareTakeOver();
    expect(rebuilt.written.documents).toEqual(store.documents);
    expect(made).toBe(0);
  });
});
