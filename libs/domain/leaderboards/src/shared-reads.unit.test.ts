import { SharedReads } from './shared-reads.ts';

/** A read that answers when it is told to. */
class Gate {
  readonly asked: (readonly string[])[] = [];
  readonly #answers: ((error?: Error) => void)[] = [];

  readonly read = (names: readonly string[]): Promise<string[]> => {
    this.asked.push(names);
    return new Promise((resolve, reject) => {
      this.#answers.push((error) => (error ? reject(error) : resolve(names.map((name) => `value of ${name}`))));
    });
  };

  answer(read: number, error?: Error): void {
    this.#answers[read]?.(error);
  }
}

const wanting = (...names: string[]) => new Map(names.map((name) => [name, name]));

describe('shared reads', () => {
  const setUp = () => {
    const gate = new Gate();
    const reads = new SharedReads();
    const taken: string[] = [];
    const read = (...names: string[]) => reads.read(wanting(...names), gate.read, (_name, value) => taken.push(value));
    return { gate, reads, taken, read };
  };

  it('query a name once for all concurrent readers', async () => {
    const { gate, taken, read } = setUp();
    const first = read('a', 'b');
    const second = read('b', 'c');
    expect(gate.asked).toEqual([['a', 'b'], ['c']]);
    gate.answer(1);
    gate.answer(0);
    await Promise.all([first, second]);
    expect(taken.sort()).toEqual(['value of a', 'value of b', 'value of c']);
  });

  it('report a failure to every waiting reader, and query again for the next one', async () => {
    const { gate, taken, read } = setUp();
    const waiting = [read('a'), read('a')];
    gate.answer(0, new Error('no answer'));
    for (const one of waiting) await expect(one).rejects.toThrow('no answer');
    const next = read('a');
    gate.answer(1);
    await next;
    expect(taken).toEqual(['value of a']);
  });

  it('discard results of queries that were abandoned', async () => {
    const { gate, reads, taken, read } = setUp();
    const stale = read('a');
    reads.abandon();
    const fresh = read('a');
    expect(gate.asked).toHaveLength(2);
    gate.answer(0);
    await stale;
    expect(taken).toEqual([]);
    gate.answer(1);
    await fresh;
    expect(taken).toEqual(['value of a']);
  });

  it('query nothing if nothing is wanted', async () => {
    const { gate, read } = setUp();
    await read();
    expect(gate.asked).toEqual([]);
  });
});
