import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { configurationJsonSchema, parseDocument } from '@laurel/configuration';
import type { ConfigurationPlanAnswer } from '@laurel/schemas';
import { PROCESS } from '../command-context.ts';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { memory, runCommand } from '../testing/run-command.ts';
import { publishCommand } from './config-command.ts';
import { show } from './show.ts';

const PLAN = 'POST /admin/v1/configurations/plan';
const PUBLISH = 'POST /admin/v1/configurations';
const HISTORY = 'GET /admin/v1/configurations';
const GOOD = 'version: 1\nmetrics: [{ key: runs, name: Runs }]\n';
const BAD = 'version: 1\nmetrics: [{ key: runs }]\nmetric: []\n';

const DOCUMENT = parseDocument(GOOD, 'good.yaml').document;
const NO_CHANGE: ConfigurationPlanAnswer = { id: 'no-change', current: 3, next: 3, changes: [] };
const CHANGES: ConfigurationPlanAnswer = {
  id: 'the-plan',
  current: 3,
  next: 4,
  changes: [
    { kind: 'changed', path: 'metrics.runs.name', before: 'R', after: 'Runs', effect: 'Answers show it.' },
    { kind: 'changed', path: 'points.xp.maxPoints', before: null, after: 10, effect: 'Nobody loses points.' },
    { kind: 'added', path: 'leaderboards.far', after: {}, effect: 'It counts.' },
    { kind: 'removed', path: 'streak', before: {}, effect: 'No streaks are kept.' },
  ],
};
const PUBLISHED = { version: 4, publishedAt: '2026-01-04T00:00:00.000Z', document: DOCUMENT };

let folder: string;
let services: FakeService[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-config-'));
  await writeFile(join(folder, 'good.yaml'), GOOD);
  await writeFile(join(folder, 'bad.yaml'), BAD);
  await writeFile(join(folder, 'latin.yaml'), Buffer.from([0x61, 0xff]));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  services = [];
});

const file = (name: string) => join(folder, name);

async function run(words: readonly string[], answers: FakeAnswers = {}) {
  const service = await fakeService(answers);
  services.push(service);
  return { ...(await runCommand(['config', ...words], { variables: service.variables })), requests: service.requests };
}

describe('config validate', () => {
  it.each(['validate', 'plan', 'publish'])(
    'warns of a board whose weeks begin on another day (%s)',
    async (command) => {
      const board = 'key: week, name: W, rankBy: metric, metric: runs, start: 2026-01-06, runUnit: day, runInterval: 7';
      await writeFile(file('week.yaml'), `${GOOD}leaderboards: [{ ${board} }]\n`);
      const answers = { [PLAN]: ok(NO_CHANGE), [PUBLISH]: ok(PUBLISHED) };
      const { exitCode, stderr } = await run([command, file('week.yaml')], answers);
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/^warning: leaderboards\[0\]\.start is a Tuesday, so each run begins on a Tuesday;/);
    },
  );

  it('describes a valid file without contacting the service', async () => {
    const { exitCode, stdout, requests } = await run(['validate', file('good.yaml')]);
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    expect(stdout).toBe(
      `${file('good.yaml')} can be used: 1 metric, no streaks, 0 achievements, 0 points systems, 0 leaderboards\n`,
    );
  });

  it('names every problem with its place and exits with 1', async () => {
    const { exitCode, stdout } = await run(['validate', file('bad.yaml')]);
    expect(exitCode).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/bad\.yaml:2:\d+ metrics\[0\]\.name: missing/),
      expect.stringMatching(/bad\.yaml:3:1 metric: unknown field .*did you mean 'metrics'/),
    ]);
  });

  it('prints the problems as JSON', async () => {
    const bad = await run(['validate', file('bad.yaml'), '--json']);
    expect(bad.exitCode).toBe(1);
    expect(JSON.parse(bad.stdout).problems).toMatchObject([{ path: 'metrics[0].name', line: 2 }, { path: 'metric' }]);
    expect(JSON.parse((await run(['validate', file('good.yaml'), '--json'])).stdout)).toEqual({
      problems: [],
      warnings: [],
    });
  });

  it('warns of decimals that strict clients cannot read, but accepts the file', async () => {
    const points =
      'points: [{ key: xp, name: XP, triggers: [{ type: metric, metric: runs, threshold: 2.5, points: 1 }] }]';
    await writeFile(file('decimal.yaml'), `${GOOD}${points}\n`);
    const { exitCode, stdout, stderr } = await run(['validate', file('decimal.yaml')]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('can be used: 1 metric')]);
    expect(stderr).toBe(
      'warning: points[0].triggers[0].threshold is not a whole number; clients that read it as an integer will fail\n',
    );
    const json = JSON.parse((await run(['validate', file('decimal.yaml'), '--json'])).stdout);
    expect(json).toMatchObject({ problems: [], warnings: [{ path: 'points[0].triggers[0].threshold' }] });
  });

  it('exits with 2 for an unreadable file', async () => {
    const missing = await run(['validate', file('none.yaml')]);
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be read (ENOENT)') });
    const latin = await run(['validate', file('latin.yaml')]);
    expect(latin).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not encoded in UTF-8') });
    expect((await run(['validate', folder])).exitCode).toBe(2);
  });
});

describe('config plan', () => {
  it('prints every change with its effect', async () => {
    const { exitCode, stdout, requests } = await run(['plan', file('good.yaml')], { [PLAN]: ok(CHANGES) });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'version 3 is in force; this would be version 4',
        '',
        '~ metrics.runs.name: "R" → "Runs"',
        '    Answers show it.',
        '~ points.xp.maxPoints: none → 10',
        '    Nobody loses points.',
        '+ leaderboards.far',
        '    It counts.',
        '- streak',
        '    No streaks are kept.',
        '',
        '1 added, 2 changed, 1 removed',
        '',
      ].join('\n'),
    );
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ text: GOOD });
  });

  it('prints an effect that several changes share once', async () => {
    const of = (path: string, effect: string, kind: 'added' | 'removed' = 'added') => ({
      kind,
      path,
      after: {},
      effect,
    });
    const changes = [of('metrics.a', 'It counts.'), of('points.xp', 'It is new.'), of('metrics.b', 'It counts.')];
    const more = of('metrics.c', 'It counts.', 'removed');
    const { stdout } = await run(['plan', file('good.yaml')], {
      [PLAN]: ok({ ...CHANGES, changes: [...changes, more] }),
    });
    expect(stdout.split('\n').slice(2, -3)).toEqual([
      ...['+ metrics.a', '+ metrics.b', '    It counts.', '+ points.xp', '    It is new.'],
      ...['- metrics.c', '    It counts.'],
    ]);
  });

  it('says that nothing would change or that a version would be replaced', async () => {
    const same = await run(['plan', file('good.yaml')], { [PLAN]: ok(NO_CHANGE) });
    expect(same).toMatchObject({
      exitCode: 0,
      stdout: 'version 3 is in force and says the same: nothing would change\n',
    });
    const replacing = await run(['plan', file('good.yaml')], { [PLAN]: ok({ ...CHANGES, next: 3 }) });
    expect(replacing.stdout).toContain('this would take its place, as nothing is recorded yet');
    const first = await run(['plan', file('good.yaml')], { [PLAN]: ok({ ...CHANGES, current: null, next: 1 }) });
    expect(first.stdout).toContain('nothing was published yet; this would be version 1');
  });

  it('prints the plan as JSON', async () => {
    const { stdout } = await run(['plan', file('good.yaml'), '--json'], { [PLAN]: ok(CHANGES) });
    expect(JSON.parse(stdout)).toEqual(CHANGES);
  });

  it.each(['plan', 'publish'])('exits with 1 for an invalid file without contacting the service: %s', async (word) => {
    const { exitCode, stderr, stdout, requests } = await run([word, file('bad.yaml')]);
    expect({ exitCode, stdout, requests }).toEqual({ exitCode: 1, stdout: '', requests: [] });
    expect(stderr).toMatch(/cannot be used\n.*bad\.yaml:2:\d+ metrics\[0\]\.name.*\n.*bad\.yaml:3:1 metric/);
  });

  it('exits with 2 when the service refuses', async () => {
    const answers = { [PLAN]: refused('invalid_request', 'The document cannot be used.') };
    const { exitCode, stderr } = await run(['plan', file('good.yaml')], answers);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('The document cannot be used.'),
    });
  });
});

describe('config publish', () => {
  const answers = { [PLAN]: ok(CHANGES), [PUBLISH]: ok(PUBLISHED, 201) };

  it('shows the plan, publishes and says what LAUREL_CONFIG must be', async () => {
    const { exitCode, stdout, stderr, requests } = await run(['publish', file('good.yaml'), '--yes'], answers);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('+ leaderboards.far');
    expect(stdout).toMatch(/^version 4 is in force since 2026-01-04T00:00:00\.000Z\n/);
    expect(stdout).toContain(
      'It stays in force, with all that is recorded, until a start finds the file of LAUREL_CONFIG changed.\n' +
        `Let LAUREL_CONFIG name ${file('good.yaml')}: starts then keep the data and publish what you change in that file.\n`,
    );
    expect(requests.map(({ route }) => route)).toEqual([PLAN, PUBLISH]);
    expect(JSON.parse(requests[1]?.body ?? '')).toEqual({ text: GOOD, plan: 'the-plan' });
  });

  it('publishes a file that a start did not publish with --accept, without asking', async () => {
    const { exitCode, stderr, requests } = await run(['publish', '--accept', file('good.yaml')], answers);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('+ leaderboards.far');
    expect(JSON.parse(requests[1]?.body ?? '')).toEqual({ text: GOOD, plan: 'the-plan', accept: true });
  });

  it('exits with 2 when somebody else has published since the plan', async () => {
    const stale = { ...answers, [PUBLISH]: refused('stale_plan', 'Another configuration was published.') };
    const { exitCode, stdout, stderr } = await run(['publish', file('good.yaml'), '--yes'], stale);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('Another configuration was published.');
  });

  it('prints only the answer with --json', async () => {
    const { stdout } = await run(['publish', file('good.yaml'), '--yes', '--json'], answers);
    expect(JSON.parse(stdout)).toEqual(PUBLISHED);
  });

  it('sends the reason', async () => {
    const { requests } = await run(['publish', file('good.yaml'), '--yes', '--reason', 'a board'], answers);
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toMatchObject({ reason: 'a board' });
  });

  it('neither asks nor publishes without a terminal', async () => {
    const { exitCode, stderr, requests } = await run(['publish', file('good.yaml')], answers);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('give --yes');
    expect(requests.map(({ route }) => route)).toEqual([PLAN]);
  });

  it.each([
    ['y', 0, [PLAN, PUBLISH]],
    ['n', 1, [PLAN]],
  ])('asks on a terminal and obeys the answer %s', async (answer, exitCode, routes) => {
    const service = await fakeService(answers);
    services.push(service);
    const [input, stdout, stderr] = [new PassThrough(), memory(), memory()];
    const exitCodes: number[] = [];
    const context = { ...PROCESS, variables: service.variables, stdout: stdout.stream, stderr: stderr.stream };
    const setExitCode = (code: number) => void exitCodes.push(code);
    input.write(`${answer}\n`);
    await publishCommand({ ...context, setExitCode }, { isTerminal: true, input }).parseAsync([file('good.yaml')], {
      from: 'user',
    });
    expect(stderr.text()).toMatch(/1 added, 2 changed, 1 removed\nPublish it\? \[y\/N\] /);
    expect(exitCodes).toEqual(exitCode === 0 ? [] : [exitCode]);
    expect(service.requests.map(({ route }) => route)).toEqual(routes);
  });

  it('says when the file is already in force', async () => {
    const same = { [PLAN]: ok(NO_CHANGE), [PUBLISH]: ok({ ...PUBLISHED, version: 3 }) };
    const { exitCode, stdout } = await run(['publish', file('good.yaml')], same);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'version 3 is in force already and says the same: nothing was published\n',
    });
  });
});

describe('config publish of the version in force', () => {
  it('says that the new text is shown from now on', async () => {
    const same = { [PLAN]: ok(NO_CHANGE), [PUBLISH]: ok({ ...PUBLISHED, version: 3, text: GOOD }) };
    const { exitCode, stdout, requests } = await run(['publish', file('good.yaml')], same);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout:
        'version 3 is in force already and says the same: nothing was published\n' +
        `It now has the text of ${file('good.yaml')}, comments included.\n`,
    });
    expect(JSON.parse(requests[1]?.body ?? '')).toEqual({ text: GOOD, plan: 'no-change' });
  });
});

describe('config show', () => {
  const route = 'GET /admin/v1/configurations/current';
  const WRITTEN =
    '# what we count\r\nmetrics: # all\r\n  - { name: Runs, key: runs } # \u{1f3c3}\u200d\u2640\u001b[31m\nversion: 1';

  it('prints the text as written, byte for byte', async () => {
    const { stdout } = await run(['show'], { [route]: ok({ ...PUBLISHED, text: WRITTEN }) });
    expect(stdout).toBe(WRITTEN);
  });

  it('prints no control characters to a terminal', async () => {
    const service = await fakeService({ [route]: ok({ ...PUBLISHED, text: WRITTEN }) });
    services.push(service);
    const stdout = memory();
    const terminal = Object.assign(stdout.stream, { isTTY: true });
    await show(
      'current',
      {},
      { ...PROCESS, variables: service.variables, stdout: terminal, setExitCode: () => undefined },
    );
    expect(stdout.text()).toMatch(HARMLESS);
    expect(stdout.text()).toMatch(/^# what we count\nmetrics: # all\n.*\nversion: 1\n$/);
  });

  it('prints the version in force as an equivalent file', async () => {
    const { stdout } = await run(['show'], { [route]: ok(PUBLISHED) });
    expect(stdout).toMatch(/^# version 4, published 2026-01-04T00:00:00\.000Z\nversion: 1\nmetrics:\n/);
    expect(parseDocument(stdout, 'shown.yaml').document).toEqual(DOCUMENT);
  });

  it('prints JSON that is an equivalent file', async () => {
    const { stdout } = await run(['show', '2', '--json'], { [route.replace('current', '2')]: ok(PUBLISHED) });
    expect(JSON.parse(stdout)).toEqual(DOCUMENT);
    expect(parseDocument(stdout, 'shown.json').document).toEqual(DOCUMENT);
  });

  it('exits with 2 for an unknown version', async () => {
    const answers = { [route.replace('current', '9')]: refused('unknown_configuration') };
    const { exitCode, stderr } = await run(['show', '9'], answers);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'laurel: there is no version 9: config history shows them\n',
    });
  });
});

describe('config history', () => {
  const version = (number: number, current: boolean) => ({
    version: number,
    publishedAt: `2026-01-0${number}T00:00:00.000Z`,
    current,
    metrics: 1,
    achievements: 2,
    pointsSystems: 3,
    leaderboards: 4,
    streak: current,
  });
  const answers = { [HISTORY]: ok([version(1, false), version(2, true)]) };

  it('prints a table, newest last', async () => {
    const { stdout } = await run(['history'], answers);
    expect(stdout).toBe(
      [
        'version  published                 metrics  streak  achievements  points systems  leaderboards',
        '1        2026-01-01T00:00:00.000Z  1        no      2             3               4',
        '2        2026-01-02T00:00:00.000Z  1        yes     2             3               4             in force',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON with --json', async () => {
    expect(JSON.parse((await run(['history', '--json'], answers)).stdout)).toHaveLength(2);
  });
});

describe('config schema', () => {
  it('prints the JSON Schema without contacting the service', async () => {
    const { exitCode, stdout, requests } = await run(['schema']);
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    expect(JSON.parse(stdout)).toEqual(configurationJsonSchema());
  });
});

describe('text from the configuration', () => {
  it.each(HARMFUL_TEXTS)('does not control the terminal: %s', async (_, text) => {
    const document = { ...DOCUMENT, metrics: [{ key: 'runs', name: text }] };
    const answers: FakeAnswers = {
      [PLAN]: ok({
        ...CHANGES,
        changes: [{ kind: 'changed', path: text, before: text, after: { [text]: text }, effect: text }],
      }),
      [PUBLISH]: ok({ version: 4, publishedAt: text, document }),
      ['GET /admin/v1/configurations/current']: ok({ version: 4, publishedAt: text, document }),
      [HISTORY]: ok([{ version: 1, publishedAt: text }]),
    };
    await writeFile(file('harmful.yaml'), `version: 1\nmetrics: [{ key: ${JSON.stringify(text)}, name: A }]\n`);
    const commands = [
      ['plan', 'good.yaml'],
      ['publish', 'good.yaml', '--yes'],
      ['validate', 'harmful.yaml'],
    ].map(([word = '', name = '', ...more]) => [word, file(name), ...more]);
    for (const words of [
      ...commands,
      ...commands.map((words) => [...words, '--json']),
      ['show'],
      ['show', '--json'],
      ['history'],
    ]) {
      const { stdout, stderr } = await run(words, answers);
      expect(stdout + stderr).toMatch(HARMLESS);
      expect(stdout).not.toBe('');
    }
  });
});
