import type { BatchResult, StreamEnd, StreamResult } from '@laurel/schemas';
import { CommandError } from '../command-error.ts';
import { OutcomeUnknownError, UnreachableError } from '../service/service-error.ts';
import type { EventLine } from './event-lines.ts';
import { type BadLine, importEvents, type ImportCounts } from './import-events.ts';

/** The answers of a service to the lines of one request; an error breaks the connection after the last answer. */
type Answered = readonly (Omit<BatchResult, 'index'> | StreamEnd | Error)[];
type Service = (lines: readonly string[], request: number) => Answered;

const recorded = { status: 201, eventId: 'e' };
const all: Service = (lines) => lines.map(() => recorded);
const lost = () => new OutcomeUnknownError('it went away');
const end = (code: StreamEnd['code'], status = 503): StreamEnd => ({ code, status, error: `ended by ${code}` });
const keyed = (n: number, id = 'ada') => JSON.stringify({ n, user: { id }, idempotencyKey: `${n}` });

interface Imported {
  readonly requests: readonly (readonly string[])[];
  readonly bad: readonly BadLine[];
  readonly counts: ImportCounts;
  readonly pauses: number;
  readonly error: unknown;
  /** Lines that were sent and not answered, at most. */
  readonly mostUnanswered: number;
}

/** @param atOnce the service answers lines when so many have arrived, or all */
async function imported(
  texts: readonly (string | null)[],
  service: Service = all,
  atOnce = Infinity,
): Promise<Imported> {
  const requests: string[][] = [];
  const bad: BadLine[] = [];
  const counts: ImportCounts = { sent: 0, recorded: 0, replayed: 0, late: 0, refused: 0 };
  let [pauses, sent, mostUnanswered] = [0, 0, 0];
  async function* exchange(body: () => AsyncIterable<Uint8Array>): AsyncGenerator<readonly StreamResult[]> {
    const lines: string[] = [];
    requests.push(lines);
    let answered = 0;
    const answer = function* (): Generator<readonly StreamResult[]> {
      for (const one of service(lines, requests.length).slice(answered)) {
        if (one instanceof Error) throw one;
        yield [
          'code' in one && !('eventId' in one) && one.error?.startsWith('ended') ? one : { index: answered++, ...one },
        ] as StreamResult[];
      }
    };
    for await (const chunk of body()) {
      const arrived = String(chunk).split('\n').slice(0, -1);
      lines.push(...arrived);
      sent += arrived.length;
      mostUnanswered = Math.max(mostUnanswered, sent - counts.sent);
      if (lines.length - answered >= atOnce) yield* answer();
    }
    yield* answer();
  }
  const error = await importEvents(
    {
      lines: pieces(texts),
      exchange,
      onBadLine: (line) => void bad.push(line),
      onProgress: () => undefined,
      pause: async () => void pauses++,
    },
    counts,
  ).catch((thrown: unknown) => thrown);
  return { requests, bad, counts, pauses, error, mostUnanswered };
}

async function* pieces(texts: readonly (string | null)[]): AsyncGenerator<readonly EventLine[]> {
  const lines = texts.map((text, index) => ({ number: index + 1, bytes: text === null ? null : Buffer.from(text) }));
  for (let from = 0; from < lines.length; from += 100) yield lines.slice(from, from + 100);
}

describe('importing events', () => {
  it('sends all lines unchanged and in order in one request', async () => {
    const { requests, counts, error } = await imported(['{"value":0.10}', '{"value":1e0}', 'no JSON']);
    expect(requests).toEqual([['{"value":0.10}', '{"value":1e0}', 'no JSON']]);
    expect([counts, error]).toEqual([{ sent: 3, recorded: 3, replayed: 0, late: 0, refused: 0 }, undefined]);
  });

  it('sends no more than 5,000 lines ahead of the answers', async () => {
    const texts = Array.from({ length: 30_000 }, (_, n) => `{"n":${n}}`);
    const { requests, counts, mostUnanswered } = await imported(texts, all, 4_900);
    expect(requests).toEqual([texts]);
    expect(counts.recorded).toBe(30_000);
    expect(mostUnanswered).toBeLessThan(5_100);
  });

  it('reports a bad line with its number and goes on with the rest', async () => {
    const { bad, counts, requests } = await imported(['{"n":1}', null, '[1]', '{"n":4}'], (lines) =>
      lines.map((line) => (line === '[1]' ? { status: 422, error: 'no object' } : recorded)),
    );
    expect(bad).toEqual([
      { number: 2, error: 'the line is longer than 64 KiB' },
      { number: 3, error: 'no object' },
    ]);
    expect(requests[0]).toHaveLength(3);
    expect(counts).toMatchObject({ sent: 4, recorded: 2 });
  });

  it('stops at input that is not NDJSON and at a failure of the service', async () => {
    const { error } = await imported(['x', 'y'], (lines) => [
      ...lines.map(() => ({ status: 400 })),
      end('malformed_body', 400),
    ]);
    expect(String((error as CommandError).message)).toMatch(/^the last 20 lines, up to line 2, are not JSON/);
    const failed = await imported(['x'], () => [end('internal', 500)]);
    expect((failed.error as CommandError).message).toBe('the service ended the import (500): ended by internal');
    expect(failed.requests).toHaveLength(1);
  });

  it('sends the readable part of a broken file and then reports the error', async () => {
    async function* broken(): AsyncGenerator<readonly EventLine[]> {
      yield [{ number: 1, bytes: Buffer.from('{"n":1}') }];
      throw new CommandError(2, 'it cannot be read');
    }
    const counts: ImportCounts = { sent: 0, recorded: 0, replayed: 0, late: 0, refused: 0 };
    async function* exchange(body: () => AsyncIterable<Uint8Array>): AsyncGenerator<readonly StreamResult[]> {
      for await (const _ of body()) yield [{ index: 0, ...recorded }];
    }
    const run = {
      lines: broken(),
      exchange,
      onBadLine: () => undefined,
      onProgress: () => undefined,
      pause: async () => undefined,
    };
    await expect(importEvents(run, counts)).rejects.toThrow('it cannot be read');
    expect(counts.recorded).toBe(1);
  });
});

describe('an import whose request ends early', () => {
  it('resends unavailable and unanswered lines in order before all others', async () => {
    const texts = Array.from({ length: 400 }, (_, index) => keyed(index));
    const { requests, counts, pauses } = await imported(
      texts,
      (lines, request) =>
        request === 1
          ? [recorded, { status: 503 }, recorded, { status: 503 }, end('unavailable')]
          : all(lines, request),
      100,
    );
    expect(requests[1]).toEqual([texts[1], texts[3], ...texts.slice(4)]);
    expect([counts, pauses]).toEqual([{ sent: 400, recorded: 400, replayed: 0, late: 0, refused: 0 }, 1]);
  });

  it('continues when the service stops, is busy or timed out', async () => {
    for (const code of ['unavailable', 'overloaded', 'request_timeout'] as const) {
      const { counts } = await imported([keyed(1)], (lines, request) => (request === 1 ? [end(code)] : all(lines, 1)));
      expect(counts.recorded).toBe(1);
    }
  });

  it('gives up after thirty requests without progress', async () => {
    const { requests, error, counts } = await imported([keyed(1), keyed(2)], (_, request) =>
      request === 3 ? [recorded, lost()] : [lost()],
    );
    expect(requests).toHaveLength(3 + 31);
    expect((error as Error).message).toMatch('it went away');
    expect(counts.recorded).toBe(1);
  });
});

describe('an import whose connection breaks', () => {
  it('resends unanswered lines with a key and reports those without a key as unknown', async () => {
    const texts = [keyed(1), '{"n":2}', keyed(3), 'no JSON', keyed(5)];
    const { requests, bad, counts } = await imported(texts, (lines, request) =>
      request === 1 ? [recorded, lost()] : lines.map(() => ({ status: 202, eventId: 'e' })),
    );
    expect(requests[1]).toEqual([keyed(3), keyed(5)]);
    expect(bad.map(({ number, error }) => [number, /^whether it was recorded is not known/.test(error)])).toEqual([
      [2, true],
      [4, true],
    ]);
    expect(counts).toMatchObject({ sent: 5, recorded: 1, replayed: 2 });
  });

  it('resends all lines when the service was not reached', async () => {
    const unreachable = () => [new UnreachableError('nobody is there')];
    const { requests, bad } = await imported(['{"n":1}', '{"n":2}'], (lines, request) =>
      request === 1 ? [recorded, { status: 503 }, end('unavailable')] : request === 2 ? unreachable() : all(lines, 3),
    );
    expect([requests[2], bad]).toEqual([['{"n":2}'], []]);
  });

  it('says at once that the service was never reached', async () => {
    const { requests, error } = await imported(['{"n":1}'], () => [new UnreachableError('nobody is there')]);
    expect([requests.length, (error as Error).message]).toEqual([1, 'nobody is there']);
  });
});

describe('a line with an unknown outcome', () => {
  const unknown = { status: 503, eventId: 'e', error: 'unknown', code: 'outcome_unknown' } as const;

  it.each([
    ['e', { recorded: 1, replayed: 0 }],
    ['another', { recorded: 0, replayed: 1 }],
  ])(
    'counts as recorded when it was, and as known when another event had used the key (%s)',
    async (original, counted) => {
      const { counts } = await imported([keyed(1)], (_, request) =>
        request < 3 ? [unknown, end('unavailable')] : [{ status: 202, eventId: original }],
      );
      expect(counts).toMatchObject(counted);
    },
  );

  it.each(['{"n":1}', '{"n":1,"idempotencyKey":null}'])('is never resent without a key: %s', async (line) => {
    const { requests, bad } = await imported([line, keyed(2)], () => [unknown, recorded]);
    expect(requests).toHaveLength(1);
    expect(bad).toEqual([{ number: 1, error: 'unknown' }]);
  });
});

describe('a user whose stored state is damaged', () => {
  it('is skipped in this and later requests, while other users continue', async () => {
    const texts = [keyed(1, 'ada'), keyed(2, 'bob'), keyed(3, 'ada'), keyed(4, 'bob')];
    const { requests, bad, counts } = await imported(texts, (lines, request) =>
      request === 1 ? [{ status: 503, code: 'state_damaged', error: 'damaged' }, recorded, lost()] : all(lines, 2),
    );
    expect(requests[1]).toEqual([texts[3]]);
    expect(bad).toEqual([
      { number: 1, error: 'damaged', damaged: true },
      { number: 3, error: 'not sent, because the stored state of its user is damaged (line 1)', damaged: true },
    ]);
    expect(counts).toMatchObject({ sent: 4, recorded: 2 });
  });
});
