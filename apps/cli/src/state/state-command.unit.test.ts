import { fakeService, ok, refused, type FakeAnswer } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

describe('laurel state through a service', () => {
  const state = async (answer: FakeAnswer | 'drop', interrupted?: AbortSignal) => {
    const service = await fakeService({ 'GET /admin/v1/state': answer });
    try {
      const words = ['state', '--url', service.url, '--api-key', 'key-of-twenty-four-characters'];
      return await runCommand(words, interrupted ? { interrupted } : {});
    } finally {
      await service.close();
    }
  };

  it('prints an answer of any length byte for byte', async () => {
    const users = Array.from({ length: 5_000 }, (_, index) => `"Grüße-世界-🌿-${index}":{"totals":{"spent":0.10}}`);
    const text = `{"events":3,"users":{\n${users.join(',\n')}\n}}\n`;
    const { exitCode, stdout, stderr } = await state({ status: 200, body: text });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(text);
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in user ids without changing the value: %s', async (_, id) => {
    const { stdout } = await state(ok({ users: { [id]: 1 } }));
    expect(stdout).toMatch(HARMLESS);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify({ users: { [id]: 1 } })));
  });

  it('exits with 2 when the answer breaks off or is refused', async () => {
    const broken = { status: 200, body: '{"events":3', headers: { 'content-length': '1000' } };
    expect(await state(broken)).toMatchObject({ exitCode: 2 });
    expect((await state('drop')).exitCode).toBe(2);
    expect((await state(refused('forbidden'))).exitCode).toBe(2);
  });
});
