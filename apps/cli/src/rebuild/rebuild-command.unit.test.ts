import type { RebuildAnswer } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand, type RunOptions } from '../testing/run-command.ts';

const ID = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const RUNNING: RebuildAnswer = {
  id: ID,
  areas: ['users', 'streaks', 'achievements', 'points', 'leaderboards'],
  state: 'running',
  verify: false,
  differences: [],
  applied: 0,
  head: 200,
  startedAt: '2026-11-21T09:00:00.000Z',
  finishedAt: null,
  error: null,
};
const DONE: RebuildAnswer = { ...RUNNING, state: 'done', applied: 200, finishedAt: '2026-11-21T09:01:00.000Z' };
const FAILED: RebuildAnswer = { ...RUNNING, state: 'failed', applied: 5, error: 'points cannot apply the record at 6' };
const LOOK = `GET /admin/v1/rebuilds/${ID}`;
const START = 'POST /admin/v1/rebuilds';

describe('laurel rebuild while the service runs', () => {
  let service: FakeService;
  const rebuild = async (answers: FakeAnswers, words: readonly string[] = [], options: RunOptions = {}) => {
    service = await fakeService(answers);
    try {
      return await runCommand(['rebuild', ...words], { variables: service.variables, ...options });
    } finally {
      await service.close();
    }
  };

  it('rebuilds all areas, polls until they are done and says so', async () => {
    const answers = { [START]: ok(RUNNING, 202), [LOOK]: [ok({ ...RUNNING, applied: 100 }), ok(DONE)] };
    const { exitCode, stdout, waitedMs } = await rebuild(answers);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^rebuilt users, streaks, achievements, points, leaderboards: the log was applied again up to position 200 in \d+s\n$/,
    );
    expect(service.requests.map(({ route }) => route)).toEqual([START, LOOK, LOOK]);
    expect(service.requests[0]?.body).toBe('{}');
    expect(waitedMs).toEqual([500, 500]);
  });

  it('only compares with --verify and says that nothing differs', async () => {
    const { exitCode, stdout } = await rebuild({ [START]: ok({ ...DONE, verify: true }, 202) }, ['points', '--verify']);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^verified .* position 200 in \d+s, and nothing differs\n$/),
    ]);
    expect(service.requests.map(({ body }) => body)).toEqual(['{"areas":["points"],"verify":true}']);
  });

  it.each(HARMFUL_TEXTS)('names the difference and exits with 1: %s', async (_, text) => {
    const differences = [{ table: 'points_months', userId: `ada${text}`, stored: '{"days":1}', expected: null }];
    const answers = { [START]: ok({ ...DONE, verify: true, differences }, 202) };
    const { exitCode, stdout } = await rebuild(answers, ['--verify']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^points_months differs, first of user "ada/);
    expect(stdout).toMatch(HARMLESS);
  });

  it('rebuilds the named areas', async () => {
    await rebuild({ [START]: ok(DONE, 202) }, ['points', 'leaderboards']);
    expect(service.requests.map(({ body }) => body)).toEqual(['{"areas":["points","leaderboards"]}']);
  });

  it('prints only the final rebuild with --json', async () => {
    const answers = { [START]: ok(RUNNING, 202), [LOOK]: ok(DONE) };
    expect((await rebuild(answers, ['--json'])).stdout).toBe(`${JSON.stringify(DONE)}\n`);
  });

  it('lists the known areas for an unknown one', async () => {
    const { exitCode, stderr } = await rebuild({}, ['point']);
    expect([exitCode, service.requests]).toEqual([2, []]);
    expect(stderr).toMatch(/users, streaks, achievements, points, leaderboards/);
  });

  it('prints why the service refuses', async () => {
    const refusal = refused('invalid_request', 'A rebuild is under way.');
    expect(await rebuild({ [START]: refusal })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('(422): A rebuild is under way.') as string,
    });
  });

  it.each(HARMFUL_TEXTS)('prints why the rebuild failed and escapes control characters: %s', async (_, text) => {
    const answers = { [START]: ok(RUNNING, 202), [LOOK]: ok({ ...FAILED, error: `points cannot ${text}` }) };
    const { exitCode, stdout, stderr } = await rebuild(answers);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^laurel: the rebuild failed and nothing was changed: points cannot .*\n$/);
    expect(stderr).toMatch(HARMLESS);
  });

  it('leaves the rebuild running on Ctrl-C and says so', async () => {
    const interruption = new AbortController();
    const looks = Array.from({ length: 3 }, () => ok(RUNNING));
    service = await fakeService({ [START]: ok(RUNNING, 202), [LOOK]: [...looks, 'hang'] });
    const running = runCommand(['rebuild'], { variables: service.variables, interrupted: interruption.signal });
    while (service.requests.length < 5) await new Promise((resolve) => setImmediate(resolve));
    interruption.abort();
    expect(await running).toMatchObject({
      exitCode: 130,
      stdout: '',
      stderr: 'laurel: the rebuild goes on in the service; laurel status shows how far it is\n',
    });
    await service.close();
  });

  it('says that the rebuild was lost when the service restarted meanwhile', async () => {
    const { exitCode, stderr } = await rebuild({ [START]: ok(RUNNING, 202), [LOOK]: refused('unknown_rebuild') });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/started anew during the rebuild.*nothing was changed/),
    ]);
  });

  it('says that the rebuild may continue when the service becomes unreachable', async () => {
    const { exitCode, stderr } = await rebuild({ [START]: ok(RUNNING, 202), [LOOK]: 'drop' });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /went away[\s\S]*\nThe rebuild goes on as long as the service does; laurel status shows it\./,
    );
  });
});
