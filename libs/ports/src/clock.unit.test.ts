import { repeat, type Clock } from './clock.ts';

/** A timer whose time is over when the test says so. */
class HandTimer implements Pick<Clock, 'after'> {
  readonly delays: number[] = [];
  #task: (() => void) | null = null;

  after(delayMs: number, task: () => void): () => void {
    this.delays.push(delayMs);
    this.#task = task;
    return () => (this.#task = null);
  }

  get isSet(): boolean {
    return this.#task !== null;
  }

  async fire(): Promise<void> {
    const task = this.#task;
    this.#task = null;
    task?.();
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const never = (error: unknown) => {
  throw error;
};

describe('repeat', () => {
  it('runs the work again only after the previous run has ended', async () => {
    const timer = new HandTimer();
    const ends: (() => void)[] = [];
    repeat(timer, 1_000, () => new Promise<void>((resolve) => ends.push(resolve)), never);
    expect(ends).toHaveLength(0);
    await timer.fire();
    expect([ends.length, timer.isSet]).toEqual([1, false]);
    ends[0]?.();
    await settled();
    expect([ends.length, timer.isSet]).toEqual([1, true]);
    await timer.fire();
    expect(ends).toHaveLength(2);
    expect(timer.delays).toEqual([1_000, 1_000]);
  });

  it('reports a failed run and continues', async () => {
    const timer = new HandTimer();
    const failures: unknown[] = [];
    let runs = 0;
    const work = () => (++runs === 1 ? Promise.reject(new Error('unreachable')) : Promise.resolve());
    repeat(timer, 1_000, work, (error) => failures.push(error));
    await timer.fire();
    expect(failures).toEqual([new Error('unreachable')]);
    await timer.fire();
    expect([runs, failures.length, timer.isSet]).toEqual([2, 1, true]);
  });

  it('runs nothing once it is cancelled', async () => {
    const timer = new HandTimer();
    let runs = 0;
    const cancel = repeat(timer, 1_000, () => Promise.resolve(++runs), never);
    await timer.fire();
    cancel();
    expect([runs, timer.isSet]).toEqual([1, false]);
  });

  it('does not schedule another run if it is cancelled during one', async () => {
    const timer = new HandTimer();
    let end = (): void => undefined;
    const cancel = repeat(timer, 1_000, () => new Promise<void>((resolve) => (end = resolve)), never);
    await timer.fire();
    cancel();
    end();
    await settled();
    expect([timer.isSet, timer.delays]).toEqual([false, [1_000]]);
  });
});
