import { createHash } from 'node:crypto';
import type { LogHead, VerificationAnswer } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const ID = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const RUNNING: VerificationAnswer = {
  ...{ id: ID, state: 'running', check: 'log', full: false, verified: 0, head: 200 },
  ...{ folded: 0, users: 0, findings: [], more: false },
  ...{ startedAt: '2026-11-21T09:00:00.000Z', finishedAt: null, error: null },
};
const DONE: VerificationAnswer = {
  ...{ ...RUNNING, state: 'done', check: null, verified: 200 },
  finishedAt: '2026-11-21T09:01:00.000Z',
};
const found = (message: string): VerificationAnswer => ({
  ...DONE,
  findings: [
    {
      ...{ check: 'users', table: 'metric_months', userId: 'ada', position: null, eventId: null },
      ...{ stored: '4', expected: '3', message },
    },
  ],
  more: true,
});
const START = 'POST /admin/v1/verifications';
const LOOK = `GET /admin/v1/verifications/${ID}`;

async function verify(answers: FakeAnswers, words: readonly string[] = []) {
  const service = await fakeService(answers);
  try {
    return await runCommand(['verify', ...words], { variables: service.variables });
  } finally {
    await service.close();
  }
}

describe('laurel verify', () => {
  it('waits for the verification and says that everything fits', async () => {
    const { exitCode, stdout, waitedMs } = await verify({ [START]: ok(RUNNING, 202), [LOOK]: [ok(RUNNING), ok(DONE)] });
    expect([exitCode, stdout]).toEqual([
      0,
      'verified the log up to position 200, users, achievements, points and leaderboards: everything fits\n',
    ]);
    expect(waitedMs).toEqual([500, 500]);
  });

  it.each([
    [0, '0 users'],
    [1, '1 user'],
    [7, '7 users'],
  ])('folds every user with --full: %d', async (users, said) => {
    const full = { ...DONE, full: true, folded: users, users };
    const { exitCode, stdout } = await verify({ [`${START}?full=true`]: ok(full, 202) }, ['--full']);
    expect([exitCode, stdout]).toEqual([
      0,
      `verified the log up to position 200 and every row of ${said}: everything fits\n`,
    ]);
  });

  it('verifies only the log with --log, and refuses --log with --full', async () => {
    const { exitCode, stdout } = await verify({ [`${START}?only=log`]: ok(DONE, 202) }, ['--log']);
    expect([exitCode, stdout]).toEqual([0, 'verified the log up to position 200: everything fits\n']);
    expect((await verify({}, ['--log', '--full'])).exitCode).toBe(2);
  });

  it.each(HARMFUL_TEXTS)('prints findings with control characters escaped and exits with 1: %s', async (_, text) => {
    const { exitCode, stdout } = await verify({ [START]: ok(found(`metric_months: ${text}`), 202) });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^metric_months: .*\nThere is more that does not fit\.\n$/);
    expect(stdout).toMatch(HARMLESS);
  });

  it('prints the verification of the service with --json', async () => {
    const { exitCode, stdout } = await verify({ [START]: ok(found('x'), 202) }, ['--json']);
    expect([exitCode, stdout]).toEqual([1, `${JSON.stringify(found('x'))}\n`]);
  });

  describe('with --against and an earlier head', () => {
    const sha256 = (...parts: readonly Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    const [first, second, third] = ['a', 'b', 'c'].map((text) => sha256(Buffer.of(0), Buffer.from(text))) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const two = sha256(Buffer.of(1), first, second);
    const kept = `2 ${two.toString('hex')}`;
    const head = { size: 3, root: sha256(Buffer.of(1), two, third).toString('hex'), position: 3, consistency: null };
    const proven = { ...head, consistency: [third.toString('hex')] };
    const rewritten = { ...proven, root: sha256(Buffer.of(1), third, third).toString('hex') };
    const answers = (now: LogHead, since: LogHead) => ({
      [START]: ok(DONE, 202),
      'GET /admin/v1/log/head': ok(now),
      'GET /admin/v1/log/head?since=2': ok(since),
    });

    it('says that the log continues the head', async () => {
      const { exitCode, stdout } = await verify(answers(head, proven), ['--against', kept]);
      expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^the log begins with the 2 records .*\nverified/)]);
      expect(JSON.parse((await verify(answers(head, proven), ['--json', '--against', kept])).stdout)).toEqual({
        ...DONE,
        continues: true,
      });
    });

    it.each([
      ['was rewritten', head, rewritten],
      ['was cut off', { ...head, size: 1 }, proven],
    ])('exits with 1 if the log %s, even though everything in it fits', async (_, now, since) => {
      const { exitCode, stdout } = await verify(answers(now, since), ['--against', kept]);
      expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^the log does not begin with the 2 records/)]);
    });

    it('refuses an invalid head', async () => {
      const { exitCode, stderr } = await verify({}, ['--against', '17']);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Expected a line of log head')]);
    });
  });

  it('says why the verification failed, or that the service restarted', async () => {
    const failed = { ...DONE, state: 'failed', error: 'no database' };
    expect(await verify({ [START]: ok(RUNNING, 202), [LOOK]: ok(failed) })).toMatchObject({
      exitCode: 2,
      stderr: 'laurel: the verification failed: no database\n',
    });
    const anew = await verify({ [START]: ok(RUNNING, 202), [LOOK]: refused('unknown_verification') });
    expect([anew.exitCode, anew.stderr]).toEqual([2, expect.stringMatching(/started anew during the verification/)]);
  });
});
