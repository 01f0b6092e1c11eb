import { fakeService, refused, type FakeAnswer } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const exported = async (id: string, answer: FakeAnswer) => {
  const service = await fakeService({ [`GET /admin/v1/users/${encodeURIComponent(id)}/export`]: answer });
  try {
    return await runCommand(['user', 'export', id], { variables: service.variables });
  } finally {
    await service.close();
  }
};

describe('laurel user export', () => {
  it('streams the answer of the service for any user id', async () => {
    const events = Array.from({ length: 10_000 }, (_, n) => `{"id":"Grüße-🌿-${n}","value":0.10}`);
    const body = `{"events":[\n${events.join(',\n')}\n]}\n`;
    expect(await exported('a/b ü', { status: 200, body })).toMatchObject({ exitCode: 0, stdout: body, stderr: '' });
  });

  it('exits with 2 when there is no such user or the answer breaks off', async () => {
    expect(await exported('ada', refused('unknown_user', 'There is no user with this id.'))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no user with this id.'),
    });
    const broken = { status: 200, body: '{"user":1', headers: { 'content-length': '1000' } };
    expect(await exported('ada', broken)).toMatchObject({ exitCode: 2 });
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in names without changing the value: %s', async (_, name) => {
    const { stdout } = await exported('ada', { status: 200, body: JSON.stringify({ user: { name } }) });
    expect(stdout).toMatch(HARMLESS);
    expect(JSON.parse(stdout)).toEqual({ user: { name } });
  });
});
