import { AREAS } from '@laurel/kernel';
import { ManualClock } from '@laurel/testing/clock';
import type { Gathered } from './gathered.ts';
import { SharedRequests } from './shared-requests.ts';

const LIMIT_MS = 1_000;
const complete = (eventId: string): Gathered => ({ eventId, sections: {}, pending: [] });

interface Asked {
  readonly partition: number;
  readonly eventIds: readonly string[];
  readonly limitMs: number;
  readonly answer: (...eventIds: readonly string[]) => void;
}

function open() {
  const clock = new ManualClock();
  const asked: Asked[] = [];
  const requests = new SharedRequests(
    (partition, eventIds, limitMs) =>
      new Promise((resolve) => {
        const answer = (...some: readonly string[]) => resolve(some.map(complete));
        asked.push({ partition, eventIds, limitMs, answer });
      }),
    clock,
  );
  const answered: string[] = [];
  const gather = (partition: number, eventId: string) =>
    requests.gather(partition, eventId, LIMIT_MS).then((gathered) => {
      expect(gathered.eventId).toBe(eventId);
      answered.push(eventId);
      return gathered;
    });
  return { clock, asked, answered, gather, turn: () => clock.advance(0) };
}

describe('shared requests', () => {
  it('are sent once per partition and turn of the event loop', async () => {
    const { asked, gather, turn } = open();
    for (const [partition, eventId] of [
      [0, 'a'],
      [1, 'b'],
      [0, 'c'],
    ] as const)
      void gather(partition, eventId);
    await turn();
    void gather(0, 'd');
    await turn();
    expect(asked.map(({ partition, eventIds }) => [partition, eventIds])).toEqual([
      [0, ['a', 'c']],
      [1, ['b']],
      [0, ['d']],
    ]);
  });

  it('are sent again within the rest of the limit for the events that an answer omits', async () => {
    const { clock, asked, answered, gather, turn } = open();
    for (const eventId of ['a', 'b', 'c']) void gather(0, eventId);
    await turn();
    await clock.advance(300);
    asked[0]?.answer('b');
    await turn();
    expect(answered).toEqual(['b']);
    expect(asked[1]).toMatchObject({ eventIds: ['a', 'c'], limitMs: LIMIT_MS - 300 });
    asked[1]?.answer('c', 'a');
    await turn();
    expect(answered).toEqual(['b', 'c', 'a']);
    expect(asked).toHaveLength(2);
  });

  it('end with an empty answer', async () => {
    const { asked, gather, turn } = open();
    const answers = Promise.all([gather(0, 'a'), gather(0, 'b')]);
    await turn();
    asked[0]?.answer();
    for (const { pending } of await answers) expect(pending).toEqual(AREAS);
    expect(asked).toHaveLength(1);
  });

  it('end with an answer about other events', async () => {
    const { asked, gather, turn } = open();
    const answer = gather(0, 'a');
    await turn();
    asked[0]?.answer('unasked');
    await turn();
    expect(asked).toHaveLength(1);
    expect((await answer).pending).toEqual(AREAS);
  });

  it('contain at most a thousand events each', async () => {
    const { asked, gather, turn } = open();
    for (let event = 0; event < 2_500; event++) void gather(0, String(event));
    await turn();
    expect(asked.map(({ eventIds }) => eventIds.length)).toEqual([1_000, 1_000, 500]);
    expect(new Set(asked.flatMap(({ eventIds }) => eventIds)).size).toBe(2_500);
  });
});
