import { subjectOf } from '@laurel/testing/subjects';
import type { BoardsLayer, ChainMessage, Subject } from '@laurel/kernel';
import fc from 'fast-check';
import { Boards } from './testing/boards.ts';
import { ACCOUNT, configurationOf, metricBoard } from './testing/configuration.ts';
import { metricEvent, NOON } from './testing/messages.ts';
import { naiveOrder, naiveStandings } from './testing/naive-boards.ts';

const MAX = 3;
const configuration = configurationOf([
  metricBoard('all', { maxParticipants: MAX }),
  metricBoard('monthly', { maxParticipants: MAX, run: { unit: 'month', interval: 1 } }),
]);
const BOARDS = [
  ['all', ''],
  ['monthly', '2026-01'],
  ['monthly', '2026-02'],
] as const;

const events = fc.record({
  subject: fc.constantFrom('ada', 'bob', 'eve', '__proto__', '\u{1F600}').map(subjectOf),
  value: fc.oneof(
    fc.constantFrom(-1_000_000n, 0n, 300_000n, 1_000_000n),
    fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
  ),
  at: fc.integer({ min: 0, max: 3 }).map((seconds) => NOON + 1000 * seconds),
  date: fc.constantFrom('2026-01-31', '2026-02-01'),
});
type Event = typeof events extends fc.Arbitrary<infer T> ? T : never;
type Step = Event | 'open' | 'publish' | 'discard' | 'discard all';

const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: events as fc.Arbitrary<Step> },
    { weight: 4, arbitrary: fc.constantFrom<Step>('open', 'open', 'publish') },
    { weight: 1, arbitrary: fc.constantFrom<Step>('discard', 'discard all') },
  ),
  // Long ones: most of what can go wrong needs something committed, and a layer or two above it.
  { minLength: 10, maxLength: 60, size: 'max' },
);

interface OpenLayer {
  readonly layer: BoardsLayer;
  readonly messages: ChainMessage[];
}

/** The area, and beside it nothing but lists of messages: what is committed, and what each open layer holds. */
class Twin {
  readonly boards = new Boards(configuration);
  readonly committed: ChainMessage[] = [];
  readonly #open: OpenLayer[] = [];
  #position = 0;

  async take(step: Step): Promise<void> {
    switch (step) {
      case 'open':
        return this.#openLayer();
      case 'publish':
        return this.#publish();
      case 'discard':
        return this.#open.pop()?.layer.discard();
      case 'discard all':
        return this.#open.splice(0).at(0)?.layer.discard();
      default:
        return this.#apply(step);
    }
  }

  #openLayer(): void {
    if (this.#open.length < 2) {
      this.#open.push({ layer: this.boards.area.openLayer(this.#open.at(-1)?.layer ?? null), messages: [] });
    }
  }

  #publish(): void {
    const lowest = this.#open.shift();
    if (lowest) this.committed.push(...lowest.messages);
    lowest?.layer.publish();
  }

  async #apply(event: Event): Promise<void> {
    const top = this.#open.at(-1);
    if (!top) return;
    const before = [...this.committed, ...this.#open.flatMap(({ messages }) => messages)];
    const message = metricEvent({ position: ++this.#position, ...event });
    const { boards, changes } = await this.boards.applyTo(top.layer, message);
    top.messages.push(message);
    const month = event.date.slice(0, 7);
    const expected =
      event.value === 0n ? [] : [this.#outcome(message, before, ''), this.#outcome(message, before, month)];
    expect(boards.map(({ previousRank, rank, threshold }) => ({ previousRank, rank, threshold }))).toEqual(expected);
    expect(changes).toHaveLength(expected.length);
  }

  #outcome(message: ChainMessage, before: readonly ChainMessage[], month: string): unknown {
    const after = naiveOrder([...before, message], month);
    const rankIn = (order: readonly { readonly subject: Subject }[]) => {
      const place = order.findIndex(({ subject }) => subject === message.record.fact.subject);
      return place < 0 || place >= MAX ? null : place + 1;
    };
    const threshold = after[MAX - 1]?.value ?? 0n;
    return { previousRank: rankIn(naiveOrder(before, month)), rank: rankIn(after), threshold };
  }

  /** Readers see what is committed, whatever is open. */
  async expectCommitted(): Promise<void> {
    for (const [board, month] of BOARDS) {
      const ranked = naiveOrder(this.committed, month).slice(0, MAX);
      const rows = ranked.map(({ subject, value }, place) => ({ subject, rank: place + 1, value }));
      const date = `${month || '2026-01'}-10`;
      expect(await this.boards.rankings(board, date)).toEqual(rows);
      for (const offset of [1, 2, 3, 4]) {
        expect(await this.boards.rankings(board, date, offset, 1)).toEqual(rows.slice(offset, offset + 1));
      }
      for (const [subject, { value }] of naiveStandings(this.committed, month)) {
        const rank = rows.find((row) => row.subject === subject)?.rank ?? null;
        expect(await this.boards.standing(board, subject, date)).toEqual({ rank, value });
      }
    }
  }
}

describe('the leaderboards area', () => {
  it('returns the same as summing and sorting all values from scratch, whatever layers are open', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (program) => {
        const twin = new Twin();
        for (const step of program) {
          await twin.take(step);
          await twin.expectCommitted();
        }
      }),
      { numRuns: 150 },
    );
  });

  it('returns the same for batches of any size', async () => {
    const sized = fc.array(fc.array(events, { maxLength: 12 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sized, async (batches) => {
        let position = 0;
        const messages = batches.map((batch) => batch.map((event) => metricEvent({ position: ++position, ...event })));
        const batched = new Boards(configuration);
        const outcomes: unknown[] = [];
        for (const batch of messages) {
          const layer = batched.area.openLayer(null);
          for (const message of batch) outcomes.push(await batched.applyTo(layer, message));
          layer.publish();
        }
        const single = new Boards(configuration);
        expect(await single.apply(...messages.flat())).toEqual(outcomes);
        for (const [board, month] of BOARDS) {
          const date = `${month || '2026-01'}-10`;
          expect(await batched.rankings(board, date)).toEqual(await single.rankings(board, date));
        }
      }),
    );
  });

  it('assigns the ranks 1 to n once each', async () => {
    const wide = configurationOf([metricBoard('all')]);
    await fc.assert(
      fc.asyncProperty(fc.array(events), async (list) => {
        const boards = new Boards(wide);
        await boards.apply(...list.map((event, i) => metricEvent({ position: i + 1, ...event })));
        const rankings = await boards.rankings('all');
        expect(rankings.map(({ rank }) => rank)).toEqual(rankings.map((_, place) => place + 1));
        expect(new Set(rankings.map(({ subject }) => subject)).size).toBe(rankings.length);
      }),
    );
  });

  it('leaves no trace of a discarded layer', async () => {
    const lists = fc.array(events);
    await fc.assert(
      fc.asyncProperty(lists, lists, lists, async (first, discarded, last) => {
        let position = 0;
        const place = (event: Event) => metricEvent({ position: ++position, ...event });
        const [before, gone, after] = [first.map(place), discarded.map(place), last.map(place)];
        const boards = new Boards(configuration);
        const untouched = new Boards(configuration);
        expect(await boards.apply(...before)).toEqual(await untouched.apply(...before));
        const layer = boards.area.openLayer(null);
        for (const message of gone) await boards.applyTo(layer, message);
        layer.discard();
        expect(await boards.apply(...after)).toEqual(await untouched.apply(...after));
      }),
    );
  });
});

it("a run of another account's board with the same key is stored separately", async () => {
  const boards = new Boards(configuration);
  await boards.apply(metricEvent({ position: 1, value: 1n }));
  const run = {
    account: ACCOUNT,
    board: 'all',
    boardNumber: configuration.names.boards.numberOf('all'),
    start: '2026-01-01',
  };
  expect(await boards.area.committed({ ...run, account: 'other' })).toBeNull();
  expect(await boards.area.committed(run)).not.toBeNull();
});
