import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The tools have no types: what they take and give is in their comments.
const { jobsOf } = await import(new URL('./jobs.mjs', import.meta.url).href);
const { GATE } = await import(new URL('./gate.mjs', import.meta.url).href);

interface Job {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly steps: readonly {
    readonly title: string;
    readonly orSkip?: string;
    readonly run: (log: string) => Promise<unknown>;
  }[];
}
interface Call {
  readonly command: readonly string[];
  readonly cwd: string | undefined;
}

const README = '<!-- not run: it takes long -->\n\n```sh\nnpm test -- --as-written\n```\n';

describe('the job that runs the tests', () => {
  const work = mkdtempSync(join(tmpdir(), 'ci-jobs-'));
  afterAll(() => rmSync(work, { recursive: true }));

  it('clones the last commit and runs the command of its README first', async () => {
    const calls: Call[] = [];
    const shell = {
      run: async (_log: string, command: readonly string[], { cwd }: { cwd?: string }) => {
        calls.push({ command, cwd });
        if (command[0] !== 'git') return;
        mkdirSync(command.at(-1) ?? '');
        writeFileSync(join(command.at(-1) ?? '', 'README.md'), README);
      },
    };
    const jobs: readonly Job[] = jobsOf({ work, logs: work, shell, history: null, night: false, seed: 1 });
    const job = jobs.find(({ name }) => name === 'tests');
    expect(job?.needs).toBeUndefined();
    for (const step of job?.steps ?? []) await step.run(join(work, 'log'));
    const clone = join(work, 'fresh-clone');
    expect(calls).toEqual([
      { command: ['git', 'clone', '--quiet', '--no-hardlinks', '.', clone], cwd: undefined },
      { command: ['bash', '-ec', 'npm test -- --as-written\n'], cwd: clone },
    ]);
  });
});

describe('a suite that runs partly with every change', () => {
  const commandOf = async (name: string, night: boolean) => {
    const calls: (readonly string[])[] = [];
    const shell = { run: async (_log: string, command: readonly string[]) => void calls.push(command) };
    const jobs: readonly Job[] = jobsOf({ work: 'work', logs: 'logs', shell, history: null, night, seed: 1 });
    await jobs
      .find((job) => job.name === name)
      ?.steps.at(-1)
      ?.run('log');
    return calls[0];
  };

  it.each([
    ['distributed', ['npm', 'run', 'test:distributed'], ['--']],
    ['console', ['npm', 'run', 'test:standalone-console'], ['--']],
    ['documents', ['node', 'tools/run-documents.mjs'], []],
  ])('runs existing files, and runs whole at night: %s', async (name, command, before) => {
    expect(GATE[name].filter((file: string) => !existsSync(file))).toEqual([]);
    expect(await commandOf(name, false)).toEqual([...command, ...before, ...GATE[name]]);
    expect(await commandOf(name, true)).toEqual(command);
  });
});

describe('the rebuild of the recorded history', () => {
  const work = mkdtempSync(join(tmpdir(), 'ci-jobs-'));
  afterAll(() => rmSync(work, { recursive: true }));

  it.each([
    ['all areas together with every change', false, 'A rebuild gives', []],
    ['also each area alone at night', true, 'Rebuilds, whole and area by area, give', ['--each-area']],
  ])('covers %s', async (_when, night, title, last) => {
    const calls: (readonly string[])[] = [];
    const shell = { run: async (_log: string, command: readonly string[]) => void calls.push(command) };
    const jobs: readonly Job[] = jobsOf({ work, logs: work, shell, history: work, night, seed: 1 });
    await jobs
      .find(({ name }) => name === 'history')
      ?.steps.find((step) => step.title.startsWith(title))
      ?.run('log');
    const data = ['--data-dir', join(work, 'all-data'), '--recount', join(work, 'all-recount.json')];
    expect(calls).toEqual([['node', 'tools/check-rebuild.mjs', ...data, ...last]]);
  });
});

describe('the nightly jobs', () => {
  const calls: (readonly string[])[] = [];
  const shell = { run: async (_log: string, command: readonly string[]) => void calls.push(command) };
  const jobs: readonly Job[] = jobsOf({ work: 'work', logs: 'logs', shell, history: null, night: true });

  it('generate a client with each generator, or are skipped when a required tool is missing', async () => {
    const clients = jobs.filter(({ name }) => name.startsWith('client-'));
    expect(clients.map(({ name }) => name)).toEqual([
      'client-python',
      'client-python-openapi-generator',
      'client-go',
      'client-java',
      'client-typescript-fetch',
    ]);
    for (const { steps } of clients) {
      expect(steps.map(({ orSkip }) => orSkip !== undefined)).toEqual([true, false, false]);
      calls.length = 0;
      for (const step of steps) await step.run('log');
      expect(calls.map((command) => command.slice(4))).toEqual([['--needs'], ['--install'], []]);
    }
  });

  it('fail when Spectral cannot be installed, because npm exists', () => {
    const spectral = jobs.find(({ name }) => name === 'spectral');
    expect(spectral?.steps.map(({ orSkip }) => orSkip)).toEqual([undefined, undefined]);
  });

  it('look for the tools of a client on this machine', () => {
    const look = (path: string | undefined) =>
      spawnSync(process.execPath, ['tools/generated-clients/check-client.mjs', 'go', tmpdir(), '--needs'], {
        env: { ...process.env, PATH: path },
        encoding: 'utf8',
      });
    const folder = mkdtempSync(join(tmpdir(), 'ci-tools-'));
    expect(look(folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('oapi-codegen needs go, which is not here'),
    });
    writeFileSync(join(folder, 'go'), '#!/bin/sh\n', { mode: 0o755 });
    expect(look(`${folder}:/bin`).status).toBe(0);
    rmSync(folder, { recursive: true });
  });
});
