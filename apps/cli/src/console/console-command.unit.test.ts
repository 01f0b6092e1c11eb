import type { ConsoleLink, ConsoleSession } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { runCommand } from '../testing/run-command.ts';

const ID = '0199a4c2-7d3e-4f00-8000-5c2f9d1e4b6a';
const SESSION: ConsoleSession = {
  id: ID,
  by: 'local',
  scopes: ['read', 'admin'],
  createdAt: '2026-11-21T09:00:00.000Z',
  usedAt: '2026-11-21T09:30:00.000Z',
  expiresAt: '2026-11-21T10:30:00.000Z',
};
const LINK: ConsoleLink = {
  url: 'http://localhost:3000/console#token=abc',
  scopes: ['read'],
  expiresAt: '2026-11-21T09:30:00.000Z',
};

describe('laurel console', () => {
  let service: FakeService;
  const run = async (answers: FakeAnswers, ...words: string[]) => {
    service = await fakeService(answers);
    try {
      return await runCommand(['console', ...words], { variables: service.variables });
    } finally {
      await service.close();
    }
  };
  const link = (...words: string[]) => run({ 'POST /admin/v1/console-links': ok(LINK, 201) }, ...words);
  const bodySent = (): unknown => JSON.parse(service.requests[0]?.body ?? 'null');

  it('prints only the link on standard output', async () => {
    expect(await link()).toMatchObject({
      exitCode: 0,
      stdout: `${LINK.url}\n`,
      stderr: 'signs a browser in once, until 2026-11-21T09:30:00.000Z, for read:\n',
    });
    expect(bodySent()).toEqual({});
  });

  it('requests the named scopes', async () => {
    await link('--scope', 'read', '--scope', 'admin');
    expect(bodySent()).toEqual({ scopes: ['read', 'admin'] });
    expect(await link('--scope', 'write')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Allowed') });
  });

  it('prints the whole answer with --json', async () => {
    expect(JSON.parse((await link('--json')).stdout)).toEqual(LINK);
  });

  it('lists the browser sessions, or says that nobody is signed in', async () => {
    const list = (sessions: ConsoleSession[], ...words: string[]) =>
      run({ 'GET /admin/v1/console-sessions': ok(sessions) }, 'sessions', 'list', ...words);
    expect((await list([SESSION])).stdout).toMatch(
      new RegExp(`^id .*\n${ID} +local +read,admin +2026-11-21T09:00:00.000Z `),
    );
    expect((await list([])).stdout).toBe('nobody is signed in\n');
    expect(JSON.parse((await list([SESSION], '--json')).stdout)).toEqual([SESSION]);
  });

  it('ends a session, and says how to list the ids when there is no such session', async () => {
    const route = `DELETE /admin/v1/console-sessions/${ID}`;
    expect(await run({ [route]: ok(SESSION) }, 'sessions', 'end', ID)).toMatchObject({
      ...{ exitCode: 0, stdout: `ended the session ${ID} of local\n` },
    });
    const unknown = await run({ [route]: refused('unknown_session') }, 'sessions', 'end', ID);
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      `laurel: there is no session ${ID}: console sessions list shows them\n`,
    ]);
  });
});
