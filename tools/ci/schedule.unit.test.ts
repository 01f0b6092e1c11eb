// The tools have no types: what they take and give is in their comments.
const { runJobs } = await import(new URL('./schedule.mjs', import.meta.url).href);

interface Job {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly alone?: boolean;
}

/** Runs jobs that end only when the test says so. */
function start(jobs: readonly Job[], slots: number) {
  const running = new Map<string, (passed: boolean) => void>();
  const started: string[] = [];
  const results: Promise<ReadonlyMap<string, boolean>> = runJobs(jobs, {
    slots,
    run: ({ name }: Job) => {
      started.push(name);
      return new Promise<boolean>((resolve) => running.set(name, resolve));
    },
  });
  const end = async (name: string, passed = true) => {
    running.get(name)?.(passed);
    running.delete(name);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { results, started, end, running: () => [...running.keys()] };
}

describe('the jobs of a CI run', () => {
  it('run side by side in order, as many as there are slots', async () => {
    const run = start([{ name: 'a' }, { name: 'b' }, { name: 'c' }], 2);
    expect(run.running()).toEqual(['a', 'b']);
    await run.end('b');
    expect(run.running()).toEqual(['a', 'c']);
    await run.end('a');
    await run.end('c');
    expect(await run.results).toEqual(
      new Map([
        ['b', true],
        ['a', true],
        ['c', true],
      ]),
    );
  });

  it('start when all jobs that they need have ended', async () => {
    const run = start([{ name: 'packages' }, { name: 'tests', needs: ['packages'] }, { name: 'docs' }], 2);
    expect(run.running()).toEqual(['packages', 'docs']);
    await run.end('packages');
    expect(run.running()).toEqual(['docs', 'tests']);
    await run.end('docs');
    await run.end('tests');
    await run.results;
  });

  it('are skipped when a job that they need has failed', async () => {
    const jobs = [{ name: 'packages' }, { name: 'tests', needs: ['packages'] }, { name: 'last', needs: ['tests'] }];
    const run = start(jobs, 2);
    await run.end('packages', false);
    expect([...(await run.results)]).toEqual([
      ['packages', false],
      ['tests', false],
      ['last', false],
    ]);
    expect(run.started).toEqual(['packages']);
  });

  it('run alone when they ask for it', async () => {
    const run = start([{ name: 'a' }, { name: 'measured', alone: true }, { name: 'b' }], 2);
    expect(run.running()).toEqual(['a']);
    await run.end('a');
    expect(run.running()).toEqual(['measured']);
    await run.end('measured');
    expect(run.running()).toEqual(['b']);
    await run.end('b');
    await run.results;
  });

  it('are refused before the first runs when one needs a job that does not precede it', async () => {
    const jobs = [{ name: 'tests', needs: ['packages'] }, { name: 'packages' }];
    await expect(start(jobs, 2).results).rejects.toThrow('tests needs packages, which does not stand before it');
  });
});
