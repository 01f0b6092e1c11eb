import { PassThrough } from 'node:stream';
import type { Erasure } from '@laurel/schemas';
import { PROCESS } from '../command-context.ts';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { memory, runCommand } from '../testing/run-command.ts';
import { userCommand } from './user-command.ts';

const route = (id: string, query: Readonly<Record<string, string>>): string =>
  `DELETE /admin/v1/users/${encodeURIComponent(id)}?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
const REASON = 'asked for by letter';
const PREVIEW = route('ada', { preview: 'true', boards: 'remove' });
const ERASE = route('ada', { previewId: 'p1', boards: 'remove', reason: REASON });

const SHOWN: Erasure = {
  ...{ userId: 'ada', erased: false, previewId: 'p1', boards: 'remove', eventId: null, at: null },
  places: [
    { place: 'subjects', rows: 1, becomes: 'deleted' },
    { place: 'events', rows: 12, becomes: 'unreadable' },
  ],
};
const ERASED: Erasure = { ...SHOWN, erased: true, eventId: 'e1', at: '2026-03-10T08:00:00.000Z' };
const PLACES = 'place     rows  becomes\nsubjects  1     deleted\nevents    12    unreadable\n';
const ANSWERS: FakeAnswers = { [PREVIEW]: ok(SHOWN), [ERASE]: ok(ERASED) };

let services: FakeService[] = [];
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  services = [];
});

async function served(answers: FakeAnswers): Promise<FakeService> {
  const service = await fakeService(answers);
  services.push(service);
  return service;
}

async function run(words: readonly string[], answers = ANSWERS) {
  const { variables, requests } = await served(answers);
  const ran = await runCommand(['user', 'erase', ...words, '--reason', REASON], { variables });
  return { ...ran, routes: requests.map(({ route: asked }) => asked) };
}

describe('laurel user erase', () => {
  it('shows every place, erases the user and prints the certificate', async () => {
    const { exitCode, stdout, stderr, routes } = await run(['ada', '--yes']);
    expect(exitCode).toBe(0);
    expect(stderr).toBe(`what erasing ada would change; boards: remove; preview p1\n${PLACES}`);
    expect(stdout).toBe(`erased ada at 2026-03-10T08:00:00.000Z, event e1; boards: remove\n${PLACES}`);
    expect(routes).toEqual([PREVIEW, ERASE]);
  });

  it('uses the id of an earlier preview and the choice for boards', async () => {
    const erasing = route('ada', { previewId: 'p2', boards: 'anonymous', reason: REASON });
    const words = ['ada', '--preview', 'p2', '--boards', 'anonymous'];
    const { exitCode, stderr, routes } = await run(words, { [erasing]: ok(ERASED) });
    expect([exitCode, stderr, routes]).toEqual([0, '', [erasing]]);
  });

  it('prints only the answer with --json', async () => {
    expect(JSON.parse((await run(['ada', '--yes', '--json'])).stdout)).toEqual(ERASED);
  });

  it('neither asks nor erases without a terminal', async () => {
    const { exitCode, stdout, stderr, routes } = await run(['ada']);
    expect([exitCode, stdout, routes]).toEqual([2, '', [PREVIEW]]);
    expect(stderr).toContain(`${PLACES}laurel: nothing was erased: there is no terminal to ask on; give --yes, or`);
    expect(stderr).toContain('--preview p1\n');
  });

  it.each([
    ['y', [], [PREVIEW, ERASE]],
    ['n', [1], [PREVIEW]],
  ])('asks on a terminal and obeys the answer %s', async (answer, exitCodes, routes) => {
    const { variables, requests } = await served(ANSWERS);
    const [input, stdout, stderr] = [new PassThrough(), memory(), memory()];
    const ended: number[] = [];
    const context = { ...PROCESS, variables, stdout: stdout.stream, stderr: stderr.stream };
    const setExitCode = (code: number) => void ended.push(code);
    input.write(`${answer}\n`);
    const words = ['erase', 'ada', '--reason', REASON];
    await userCommand({ ...context, setExitCode }, { isTerminal: true, input }).parseAsync(words, { from: 'user' });
    expect(stderr.text()).toContain(`${PLACES}Erase ada for good? [y/N] `);
    expect(ended).toEqual(exitCodes);
    expect(requests.map(({ route: asked }) => asked)).toEqual(routes);
  });

  it.each([
    ['there is no such user', refused('unknown_user'), 'there is no user ada\n'],
    ['this topology cannot', refused('not_in_this_topology', 'Only a standalone service does.'), 'Only a standalone'],
  ])('exits with 2 if %s', async (_, answer, said) => {
    const { exitCode, stdout, stderr } = await run(['ada', '--yes'], { [PREVIEW]: answer });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
  });

  it('does not retry an erasure that may have been carried out', async () => {
    const { exitCode, stderr, routes } = await run(['ada', '--yes'], { ...ANSWERS, [ERASE]: 'drop' });
    expect([exitCode, routes]).toEqual([2, [PREVIEW, ERASE]]);
    expect(stderr).toContain('whether the request was carried out is not known');
    const unavailable = await run(['ada', '--yes'], { ...ANSWERS, [ERASE]: refused('unavailable') });
    expect([unavailable.exitCode, unavailable.routes]).toEqual([2, [PREVIEW, ERASE]]);
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in names: %s', async (_, name) => {
    const named = { userId: name, previewId: name };
    const answers = {
      [PREVIEW]: ok({ ...SHOWN, ...named, previewId: 'p1' }),
      [ERASE]: ok({ ...ERASED, ...named, at: name, places: [{ place: name, rows: 1, becomes: name }] }),
    };
    for (const more of [[], ['--json']]) {
      const { stdout, stderr } = await run(['ada', '--yes', ...more], answers);
      expect(stdout).toMatch(HARMLESS);
      expect(stderr).toMatch(HARMLESS);
    }
  });
});
