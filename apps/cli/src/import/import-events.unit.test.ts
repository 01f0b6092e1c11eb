import type { BadLine, Batch } from './batches.ts';
import { batchesOf } from './batches.ts';
import type { EventLine } from './event-lines.ts';
import type { ItemResult } from './import-client.ts';
import { importEvents, type ImportCounts } from './import-events.ts';

describe('importing events', () => {
  it('sends the lines in their order, as they stand in the file', async () => {
    const { sent, counts } = await imported(lines('{"value":0.10}', '{"value":1e0}', '{"n":3}'));
    expect(sent).toEqual(['[{"value":0.10},{"value":1e0},{"n":3}]']);
    expect(counts).toEqual({ sent: 3, recorded: 3, replayed: 0, refused: 0 });
  });

  it('makes requests of at most 1,000 lines', async () => {
    const { sent } = await imported(lines(...Array.from({ length: 2_500 }, (_, index) => `{"n":${index}}`)));
    const sizes = sent.map((body) => (JSON.parse(body) as unknown[]).length);
    expect(sizes).toEqual([1_000, 1_000, 500]);
    expect(sent.flatMap((body) => JSON.parse(body) as { n: number }[]).map(({ n }) => n)).toEqual(
      Array.from({ length: 2_500 }, (_, index) => index),
    );
  });

  it('makes requests that the service takes, however long the lines are', async () => {
    const long = (size: number) => `{"a":"${'x'.repeat(size)}"}`;
    const { sent, bad } = await imported(lines(long(3_000_000), long(3_000_000), long(3_000_000), long(8_000_000)));
    expect(sent.map((body) => body.length < 8 * 1024 * 1024)).toEqual([true, true]);
    expect(bad).toEqual([{ number: 4, error: 'the line is longer than 7 MiB' }]);
  });

  it('reports a bad line with its number and goes on with the rest', async () => {
    const { sent, bad, counts } = await imported(lines('{"n":1}', '{"n":', '[1]', '7', '{"n":5}'), (body) =>
      body.map(({ n }, index) =>
        n === 5 ? { index, status: 422, error: 'value is required' } : { index, status: 201 },
      ),
    );
    expect(sent).toEqual(['[{"n":1},{"n":5}]']);
    expect(bad).toEqual([
      { number: 2, error: 'the line is not JSON' },
      { number: 3, error: 'the line is not a JSON object' },
      { number: 4, error: 'the line is not a JSON object' },
      { number: 5, error: 'value is required' },
    ]);
    expect(counts).toMatchObject({ sent: 2, recorded: 1 });
  });

  it('sends what was turned away again, in its order and before anything else', async () => {
    let round = 0;
    const { sent, counts } = await imported(lines('{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}'), (body) => {
      round++;
      return body.map((_, index) => ({
        index,
        status: round === 1 && index > 1 ? 503 : round === 2 && index > 0 ? 503 : 202,
      }));
    });
    expect(sent).toEqual(['[{"n":1},{"n":2},{"n":3},{"n":4}]', '[{"n":3},{"n":4}]', '[{"n":4}]']);
    expect(counts).toEqual({ sent: 4, recorded: 0, replayed: 4, refused: 0 });
  });

  describe('a user whose stored state is damaged', () => {
    const line = (id: string, n: number) => JSON.stringify({ user: { id }, n, idempotencyKey: `${n}` });
    const damaged: Service = (body) =>
      body.map((item, index) => {
        const isAda = (item as unknown as { user: { id: string } }).user.id === 'ada';
        return isAda ? { index, status: 503, code: 'state_damaged', error: 'damaged' } : { index, status: 201 };
      });

    it('is given up at once; others go on', async () => {
      const { sent, bad, counts } = await imported(
        lines(line('ada', 1), line('bob', 2), line('ada', 3), line('bob', 4)),
        damaged,
      );
      expect(sent).toHaveLength(1);
      expect(bad).toEqual([
        { number: 1, error: 'damaged', damaged: true },
        { number: 3, error: 'damaged', damaged: true },
      ]);
      expect(counts).toMatchObject({ sent: 4, recorded: 2 });
    });

    it('is sent no later line, which a repair in between would let be recorded before the one given up', async () => {
      let round = 0;
      const later = Array.from({ length: 1_000 }, (_, n) => line('bob', n));
      const { sent, bad, counts } = await imported(
        lines(line('ada', 1), ...later, line('ada', 2), line('bob', 3)),
        (body) => (round++ === 0 ? damaged(body) : body.map((_, index) => ({ index, status: 201 }))),
      );
      expect(sent.slice(1)).toEqual([`[${later.at(-1)},${line('bob', 3)}]`]);
      expect(bad.map(({ number, damaged }) => [number, damaged])).toEqual([
        [1, true],
        [1002, true],
      ]);
      expect(bad[1]?.error).toBe('not sent, because the stored state of its user is damaged (line 1)');
      expect(counts).toMatchObject({ sent: 1_002, recorded: 1_001 });
    });

    it('is not sent again what was turned away for another reason', async () => {
      const { sent, bad } = await imported(lines(line('ada', 1), line('bob', 2), line('ada', 3)), (body) =>
        body.length < 3
          ? body.map((_, index) => ({ index, status: 201 }))
          : [
              { index: 0, status: 503, code: 'state_damaged', error: 'damaged' },
              { index: 1, status: 503, code: 'unavailable' },
              { index: 2, status: 503, code: 'unavailable', error: 'unavailable' },
            ],
      );
      expect(sent.slice(1)).toEqual([`[${line('bob', 2)}]`]);
      expect(bad.map(({ number }) => number)).toEqual([1, 3]);
    });
  });

  describe('a line of which it is unknown whether it was recorded', () => {
    it('is sent again with all that follows of its user if it has a key, before any other line', async () => {
      const [first, second, third, fourth] = ['{"n":1,"idempotencyKey":"a"}', '{"n":2}', '{"n":3}', '{"n":4}'];
      let round = 0;
      const { sent, counts, bad } = await imported(lines(first, second, third, fourth), () =>
        round++ === 0
          ? [
              { index: 0, status: 503, eventId: 'e', error: 'unknown' },
              { index: 1, status: 201, eventId: 'other-user' },
              { index: 2, status: 503, error: 'unavailable' },
              { index: 3, status: 503, error: 'unavailable' },
            ]
          : [
              { index: 0, status: 201, eventId: 'f' },
              { index: 1, status: 201, eventId: 'g' },
              { index: 2, status: 201, eventId: 'h' },
            ],
      );
      expect(sent.slice(1)).toEqual([`[${first},${third},${fourth}]`]);
      expect([counts, bad]).toEqual([{ sent: 4, recorded: 4, replayed: 0, refused: 0 }, []]);
    });

    it.each([
      ['e', { recorded: 1, replayed: 0 }],
      ['another', { recorded: 0, replayed: 1 }],
    ])(
      'counts as recorded if it was, and as known if another event had used the key (%s)',
      async (original, counted) => {
        let round = 0;
        const { counts } = await imported(lines('{"n":1,"idempotencyKey":"a"}'), () => [
          round++ < 2 ? { index: 0, status: 503, eventId: 'e' } : { index: 0, status: 202, eventId: original },
        ]);
        expect(counts).toMatchObject(counted);
        expect(round).toBe(3);
      },
    );

    it.each(['{"n":1}', '{"n":1,"idempotencyKey":null}'])('is never sent again without a key: %s', async (line) => {
      const { sent, bad } = await imported(lines(line), () => [
        { index: 0, status: 503, eventId: 'e', error: 'unknown' },
      ]);
      expect(sent).toHaveLength(1);
      expect(bad).toEqual([{ number: 1, error: 'unknown' }]);
    });

    it('is reported if it stays unknown', async () => {
      const { sent, bad } = await imported(lines('{"n":1,"idempotencyKey":"a"}'), () => [
        { index: 0, status: 503, eventId: 'e', error: 'unknown' },
      ]);
      expect(sent).toHaveLength(31);
      expect(bad).toEqual([{ number: 1, error: 'unknown' }]);
    });
  });
});

type Service = (body: readonly { readonly n: number }[]) => readonly ItemResult[];

async function imported(
  source: AsyncIterable<EventLine>,
  service: Service = (body) => body.map((_, index) => ({ index, status: 201 })),
) {
  const sent: string[] = [];
  const bad: BadLine[] = [];
  const counts: ImportCounts = { sent: 0, recorded: 0, replayed: 0, refused: 0 };
  const onBadLine = (line: BadLine): void => void bad.push(line);
  const batches: AsyncIterable<Batch> = batchesOf(source, onBadLine);
  const send = (body: string): Promise<readonly ItemResult[]> => {
    sent.push(body);
    return Promise.resolve(service(JSON.parse(body) as { n: number }[]));
  };
  await importEvents({ batches, send, onBadLine, onProgress: () => undefined, pause: () => Promise.resolve() }, counts);
  return { sent, bad, counts };
}

async function* lines(...texts: readonly string[]): AsyncIterable<EventLine> {
  for (const [index, text] of texts.entries()) yield { number: index + 1, text };
}
