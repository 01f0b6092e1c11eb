import { FoldsAtOnce } from './folds-at-once.ts';

/** Folds that go on until they are told to end. */
function startFolds(count: number) {
  const folds = new FoldsAtOnce({ most: 2, what: 'explanations' });
  const started: number[] = [];
  const end: ((failed?: Error) => void)[] = [];
  const results = Array.from({ length: count }, (_, number) =>
    folds.run(
      () =>
        new Promise<number>((resolve, reject) => {
          started.push(number);
          end[number] = (failed) => (failed === undefined ? resolve(number) : reject(failed));
        }),
    ),
  );
  return { folds, started, results, end };
}

describe('FoldsAtOnce', () => {
  it('runs two folds at a time, in order of arrival, even after one has failed', async () => {
    const { started, results, end } = startFolds(4);
    expect(started).toEqual([0, 1]);
    end[1]?.(new Error('damaged'));
    await expect(results[1]).rejects.toThrow('damaged');
    expect(started).toEqual([0, 1, 2]);
    end[0]?.();
    end[2]?.();
    await expect(Promise.all([results[0], results[2]])).resolves.toEqual([0, 2]);
    end[3]?.();
    await expect(results[3]).resolves.toBe(3);
  });

  it('refuses a fold as overloaded while 16 wait, and accepts one again once another has ended', async () => {
    const { folds, started, results, end } = startFolds(18);
    await expect(folds.run(() => Promise.resolve(1))).rejects.toMatchObject({
      problem: { code: 'overloaded', detail: '18 explanations are under way already; nothing was done.' },
      headers: { 'retry-after': '1' },
    });
    end[0]?.();
    await results[0];
    const taken = folds.run(() => Promise.resolve(2));
    for (let number = 1; number < 18; number++) {
      end[number]?.();
      await results[number];
    }
    await expect(taken).resolves.toBe(2);
    expect(started).toHaveLength(18);
  });
});
