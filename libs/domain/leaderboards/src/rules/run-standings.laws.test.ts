import { exactOf } from '@laurel/amounts';
import fc from 'fast-check';
import { RankIndex } from './rank-index.ts';
import { RunBuilder } from './run-builder.ts';
import { RunStandings } from './run-standings.ts';
import { isOnBoard, type Standing } from './standing.ts';
import { StandingSlots } from './standing-slots.ts';

const scores = fc.oneof(
  fc.integer({ min: -1, max: 4 }).map((n) => exactOf(BigInt(n) * 500_000n)),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(exactOf),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(exactOf),
);
const standings = fc.record({
  subject: fc.integer({ min: 1, max: 40 }),
  score: scores,
  reachedAt: fc.integer({ min: 0, max: 2 }),
  position: fc.integer({ min: 1, max: 3 }),
  ordinal: fc.integer({ min: 0, max: 1 }),
});

/** The order of specification, section 7, written a second time: as text that sorts. */
function sortKey({ score, reachedAt, position, ordinal, subject }: Standing): string {
  const fromTop = (2n ** 100n - BigInt(score)).toString().padStart(31, '0');
  return `${fromTop} ${String(reachedAt).padStart(2, '0')} ${position} ${ordinal} ${String(subject).padStart(16, '0')}`;
}

function naivelySorted(entries: Iterable<Standing>): Standing[] {
  const keyed = [...entries].map((entry) => ({ entry, key: sortKey(entry) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry);
}

function expectSame(run: RunStandings, entries: readonly Standing[]): void {
  const sorted = naivelySorted(entries.filter(isOnBoard));
  expect(run.size).toBe(entries.length);
  expect(entries.map(({ subject }) => run.get(subject))).toEqual(entries);
  expect([...run.from(0)]).toEqual(sorted);
  expect(sorted.map((_, place) => run.at(place))).toEqual(sorted);
  expect(sorted.filter((entry, place) => run.aheadOf(entry.subject) !== place)).toEqual([]);
  expect(sorted.filter((entry, place) => run.countAhead(entry) !== place)).toEqual([]);
  expect(run.at(sorted.length)).toBeUndefined();
}

const byUser = (entries: readonly Standing[]) => [...new Map(entries.map((entry) => [entry.subject, entry])).values()];

/** Enough to split and join buckets many times over; spread so that ties are common. Every thirteenth is not on the board. */
function manyStandings(count: number, seed: number): Standing[] {
  return Array.from({ length: count }, (_, i) => {
    const mixed = (Math.imul(i + 1, 2654435761) ^ seed) >>> 0;
    const score = i % 13 === 0 ? 0 : i % 17 === 0 ? 2n ** 60n + BigInt(mixed % 3) : 1 + (mixed % 977);
    return { subject: (i + 1) * 2 ** 37 + mixed, score, reachedAt: mixed % 13, position: mixed % 7, ordinal: 0 };
  });
}

function runOf(entries: readonly Standing[], pageLength = 1_000): RunStandings {
  const builder = new RunBuilder();
  for (let i = 0; i < entries.length; i += pageLength) builder.add(entries.slice(i, i + pageLength));
  return builder.build();
}

const put = (run: RunStandings, entries: readonly Standing[]) =>
  entries.forEach((entry) => run.put(entry.subject, entry));
const remove = (run: RunStandings, entries: readonly Standing[]) =>
  entries.forEach(({ subject }) => run.put(subject, undefined));

describe('the standings of a run', () => {
  it('have the order of a naive sort after any additions, changes and removals, and so does every move', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), standings), { maxLength: 80 });
    fc.assert(
      fc.property(steps, (program) => {
        const run = new RunStandings();
        const present = new Map<number, Standing>();
        const placeOf = (subject: number): number | null => {
          const place = naivelySorted([...present.values()].filter(isOnBoard)).findIndex(
            (one) => one.subject === subject,
          );
          return place < 0 ? null : place;
        };
        for (const [choice, standing] of program) {
          const { subject } = standing;
          const aheadBefore = placeOf(subject);
          if (choice === 0) present.delete(subject);
          else present.set(subject, standing);
          const move = run.put(subject, choice === 0 ? undefined : standing);
          const participants = [...present.values()].filter(isOnBoard).length;
          expect(move).toEqual({ aheadBefore, aheadAfter: placeOf(subject), participants });
        }
        expectSame(run, [...present.values()]);
      }),
    );
  });

  it('count the standings ahead of one that is not in the run', () => {
    fc.assert(
      fc.property(fc.array(standings), standings, (entries, other) => {
        const present = byUser(entries).filter((entry) => isOnBoard(entry) && entry.subject !== other.subject);
        expect(runOf(present).countAhead(other)).toBe(naivelySorted([...present, other]).indexOf(other));
      }),
    );
  });

  it('stay in order across many buckets while the run grows, changes and shrinks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1500, max: 6000 }), fc.integer(), (count, seed) => {
        const entries = manyStandings(count, seed);
        const third = Math.floor(count / 3);
        const run = runOf(entries.slice(0, third));
        put(run, entries.slice(third));
        expectSame(run, entries);
        const changed = entries.map((entry, i) => (i % 3 > 0 ? entry : { ...entry, score: 1 + (i % 50), position: 9 }));
        put(run, changed);
        expectSame(run, changed);
        remove(run, changed.slice(0, -40));
        expectSame(run, changed.slice(-40));
        remove(run, changed);
        expectSame(run, []);
        put(run, entries.slice(0, 700));
        expectSame(run, entries.slice(0, 700));
      }),
      { numRuns: 8 },
    );
  });

  it('are the same whether they are added one by one or in pages', () => {
    fc.assert(
      fc.property(fc.array(standings), fc.integer({ min: 1, max: 9 }), (some, pageLength) => {
        expectSame(runOf(byUser(some), pageLength), byUser(some));
      }),
    );
    for (const length of [0, 1, 191, 192, 193, 5_000])
      expectSame(runOf(manyStandings(length, 5), 300), manyStandings(length, 5));
  });

  it('can be read from any place on', () => {
    const entries = manyStandings(3000, 1);
    const sorted = naivelySorted(entries.filter(isOnBoard));
    for (const place of [0, 1, 191, 192, 193, sorted.length - 1, sorted.length, 4000])
      expect([...runOf(entries).from(place)]).toEqual(sorted.slice(place));
  });

  it('take at most 130 bytes each, and no more after removal and return', () => {
    const entries = manyStandings(20_000, 3).filter(({ score }) => typeof score === 'number');
    const grown = new RunStandings();
    put(grown, entries);
    const { bytes } = grown;
    expect(bytes / entries.length).toBeLessThan(130);
    expect(runOf(entries).bytes / entries.length).toBeLessThan(130);
    for (let i = 0; i < 3; i++) {
      remove(grown, entries);
      put(grown, entries);
    }
    expect(grown.bytes).toBeLessThan(1.1 * bytes);
  });

  it('take less than 300 bytes if there is only one', () => {
    const empty = new RunStandings();
    const one = runOf(manyStandings(2, 1).slice(1));
    expect(one.bytes - empty.bytes).toBeLessThan(300);
  });
});

describe('the rank index', () => {
  it('refuses to delete an unknown subject', () => {
    const slots = new StandingSlots();
    const [held, other, never] = manyStandings(3, 1).map((standing) => slots.add(standing)) as [number, number, number];
    const index = new RankIndex(slots);
    index.insert(held);
    index.insert(other);
    index.delete(other);
    for (const absent of [other, never]) expect(() => index.delete(absent)).toThrow('not in the rank index');
    expect([...index.from(0)]).toEqual([held]);
  });
});
