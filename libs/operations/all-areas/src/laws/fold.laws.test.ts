import { compileHistory } from '@laurel/configuration';
import { tablesOf, type PointsAwarded, type Subject, type TriggerFired } from '@laurel/kernel';
import { AreaRows, encodeDocument, foldEvents, publicationsIn, UserEvents, UserFold } from '@laurel/engine';
import { correctedLives, lesson, live, lives } from '@laurel/testing/histories';
import { assertCovering } from '@laurel/testing/laws';
import { MemoryRebuildStore, type MemoryBatchStore } from '@laurel/testing/projections';
import fc from 'fast-check';
import { USER_AREAS } from '../user-areas.ts';

const ACCOUNT = 'default';
const TABLES = tablesOf(USER_AREAS);

const subjectsIn = (store: MemoryBatchStore): readonly Subject[] =>
  [...store.documents.keys()].map((user) => Number(user.split('\0')[1]));

const historyOf = (store: MemoryBatchStore) => compileHistory(ACCOUNT, publicationsIn(store.records));

const eventsIn = (store: MemoryBatchStore) => new UserEvents((...asked) => store.positionsOf(...asked), store);

/** Hears every points trigger that fires. */
class Fired {
  readonly all: TriggerFired[] = [];
  triggerFired(fired: TriggerFired): void {
    this.all.push(fired);
  }
  triggerMissed(): void {}
  triggerPassedOver(): void {}
  achievementMissed(): void {}
  conditionChecked(): void {}
}

describe('the fold of a single user', () => {
  it.each([
    ['', lives],
    [' with corrections', correctedLives],
  ])('gives the state and rows that the engine stored, for any sequence of events%s', async (_, all) => {
    let folded = 0;
    await assertCovering(
      fc.asyncProperty(all, async (steps) => {
        const store = await live(steps, 7);
        const alone = new MemoryRebuildStore(TABLES);
        for (const subject of subjectsIn(store)) {
          const fold = new UserFold(USER_AREAS, historyOf(store));
          const rows = new AreaRows();
          await foldEvents(
            fold,
            eventsIn(store),
            { account: ACCOUNT, subject },
            {
              reasons: null,
              applied: ({ rows: made, corrected }) => {
                corrected?.removed.forEach((gone) => rows.remove(TABLES, gone));
                made.forEach((added) => rows.add(added));
              },
            },
          );
          const document = encodeDocument(USER_AREAS, fold.document);
          const documents = [{ account: ACCOUNT, subject, document, dueAt: null }];
          alone.keep(documents);
          alone.add(rows.merged(TABLES));
          await alone.write();
          folded++;
        }
        expect(documentsOf(alone.written)).toEqual(documentsOf(store));
        expect(rowsOf(alone.written)).toEqual(rowsOf(store));
      }),
      { numRuns: 120 },
      () => ({ folded: folded > 120 }),
    );
  });

  it('yields to other work', async () => {
    const commands = Array.from({ length: 200 }, () => lesson('ada'));
    const store = await live([{ type: 'submit', afterMs: 0, commands }], 250);
    const [subject] = subjectsIn(store) as [Subject];
    let turns = 0;
    let ended = false;
    const count = (): void => {
      if (ended) return;
      turns++;
      setImmediate(count);
    };
    setImmediate(count);
    const fold = new UserFold(USER_AREAS, historyOf(store));
    const asked = { reasons: null, applied: () => undefined };
    await foldEvents(fold, eventsIn(store), { account: ACCOUNT, subject }, asked);
    ended = true;
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('reports a reason for every award, and the awards add up to the totals', async () => {
    let awards = 0;
    let cut = 0;
    await assertCovering(
      fc.asyncProperty(lives, async (steps) => {
        const store = await live(steps, 7);
        for (const subject of subjectsIn(store)) {
          const fold = new UserFold(USER_AREAS, historyOf(store));
          const reasons = new Fired();
          const awarded: PointsAwarded[] = [];
          await foldEvents(
            fold,
            eventsIn(store),
            { account: ACCOUNT, subject },
            {
              reasons,
              applied: ({ effects }) => awarded.push(...effects.filter((effect) => effect.type === 'PointsAwarded')),
            },
          );
          const given = reasons.all.filter((fired) => fired.awarded !== 0);
          expect(given.map(shownOf)).toEqual(awarded.map(shownOf));
          expect(sumsOf(given)).toEqual(totalsIn(store, subject));
          awards += given.length;
          cut += reasons.all.filter(({ cutBy }) => cutBy !== null).length;
        }
      }),
      { numRuns: 120 },
      () => ({ awards: awards > 500, cut: cut > 50 }),
    );
  });

  it('reads a user with more events than fit on a page', async () => {
    const store = await live(
      [{ type: 'submit', afterMs: 0, commands: Array.from({ length: 1_201 }, () => lesson('ada')) }],
      250,
    );
    const [subject] = subjectsIn(store) as [Subject];
    const user = { account: ACCOUNT, subject };
    const fold = new UserFold(USER_AREAS, historyOf(store));
    let events = 0;
    await foldEvents(fold, eventsIn(store), user, { reasons: null, applied: () => events++ });
    expect([events, fold.position]).toEqual([1_201, await store.head()]);
    expect(await eventsIn(store).areMoreThan(user, 1_200)).toBe(true);
    expect(await eventsIn(store).areMoreThan(user, 1_201)).toBe(false);
  });

  it('refuses an event that it has applied, and an event of another user', async () => {
    const store = await live([{ type: 'submit', afterMs: 0, commands: [lesson('ada'), lesson('bob')] }], 250);
    const [ada, bob] = subjectsIn(store) as [Subject, Subject];
    const [first] = await eventsIn(store).read({ account: ACCOUNT, subject: ada }, 0, 1);
    const fold = new UserFold(USER_AREAS, historyOf(store));
    if (!first) throw new Error('nothing was recorded');
    fold.apply(first);
    expect(() => fold.apply(first)).toThrow(`the event at position ${first.position} is not after ${first.position}`);
    const foreign = new UserEvents(() => Promise.resolve([first.position]), store);
    await expect(foreign.read({ account: ACCOUNT, subject: bob }, 0, 1)).rejects.toThrow('does not concern');
  });
});

const shownOf = ({ system, triggerId, awarded }: PointsAwarded | TriggerFired) => [system, triggerId, awarded];

function sumsOf(fired: readonly TriggerFired[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { system, awarded } of fired) sums.set(system, (sums.get(system) ?? 0n) + BigInt(awarded));
  return new Map([...sums].filter(([, sum]) => sum !== 0n).sort());
}

function totalsIn(store: MemoryBatchStore, subject: Subject): ReadonlyMap<string, bigint> {
  const document = JSON.parse(store.documents.get(`${ACCOUNT}\0${subject}`) ?? '{}') as {
    points: { systems: readonly (readonly [string, string])[] } | null;
  };
  const totals = (document.points?.systems ?? []).map(([key, total]) => [key, BigInt(total)] as const);
  return new Map(totals.filter(([, total]) => total !== 0n).sort());
}

const documentsOf = ({ documents }: MemoryBatchStore) =>
  new Map([...documents].map(([user, text]) => [user, sortedLists(JSON.parse(text))]));

/** The order within a state's lists, and of rows, says nothing. */
function sortedLists(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sortedLists(inner)]));
  const inner = value.map(sortedLists);
  return inner.every(Array.isArray) ? inner.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1)) : inner;
}

function rowsOf({ rows }: MemoryBatchStore): ReadonlyMap<string, readonly string[]> {
  return new Map(TABLES.map(({ name }) => [name, (rows.get(name) ?? []).map(textOf).sort()]));
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return String(inner);
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
