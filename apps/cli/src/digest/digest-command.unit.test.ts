import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DigestAnswer } from '@laurel/schemas';
import { fakeService, ok, type FakeService } from '../testing/fake-service.ts';
import { runCommand } from '../testing/run-command.ts';

const DIGEST: DigestAnswer = {
  position: 12,
  tzDataVersion: '2026a',
  lines: [
    { name: 'users', rows: 3, digest: 'a1'.repeat(32) },
    { name: 'leaderboards', rows: 4, digest: 'b2'.repeat(32) },
    { name: 'rank history', rows: 5, digest: 'c3'.repeat(32) },
  ],
};
const withLine = (index: number, change: Partial<DigestAnswer['lines'][number]>): DigestAnswer => ({
  ...DIGEST,
  lines: DIGEST.lines.map((line, at) => (at === index ? { ...line, ...change } : line)),
});

describe('laurel digest', () => {
  let service: FakeService;
  let folder: string;
  beforeEach(async () => {
    service = await fakeService({ 'GET /admin/v1/digest': ok(DIGEST) });
    folder = await mkdtemp(join(tmpdir(), 'laurel-digest-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  const digest = (...words: string[]) => runCommand(['digest', ...words], { variables: service.variables });
  const compareWith = async (earlier: unknown, ...words: string[]) => {
    const file = join(folder, 'before.json');
    await writeFile(file, typeof earlier === 'string' ? earlier : JSON.stringify(earlier));
    return digest('--compare', file, ...words);
  };

  it('prints a line for each area, the rank history, the tz data and the position', async () => {
    const { exitCode, stdout, stderr } = await digest();
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      `users         ${'a1'.repeat(32)}`,
      `leaderboards  ${'b2'.repeat(32)}`,
      `rank history  ${'c3'.repeat(32)}`,
      'tz data       2026a',
      'position      12',
      '',
    ]);
  });

  it('prints the unchanged answer of the service with --json', async () => {
    expect((await digest('--json')).stdout).toBe(`${JSON.stringify(DIGEST)}\n`);
  });

  it('exits with 0 when nothing differs from an earlier digest', async () => {
    const earlier = (await digest('--json')).stdout;
    expect(await compareWith(earlier)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('names differing lines and exits with 1', async () => {
    const { exitCode, stdout, stderr } = await compareWith(withLine(1, { digest: 'ff', rows: 9 }));
    expect([exitCode, stderr]).toEqual([1, 'leaderboards differs (9 rows then, 4 rows now)\n']);
    expect(stdout).toContain('position      12');
  });

  it('names a line that only one of the digests has', async () => {
    const fewer = { ...DIGEST, lines: DIGEST.lines.slice(0, 2) };
    expect((await compareWith(fewer)).stderr).toBe('rank history differs (no line then, 5 rows now)\n');
    const more = { ...DIGEST, lines: [...DIGEST.lines, { name: 'gone', rows: 1, digest: 'dd' }] };
    expect((await compareWith(more)).stderr).toBe('gone differs (1 rows then, no line now)\n');
  });

  it('mentions events recorded in between, which are no difference', async () => {
    expect(await compareWith({ ...DIGEST, position: 10 })).toMatchObject({
      exitCode: 0,
      stderr: 'position 10 then, 12 now: something was recorded in between\n',
    });
  });

  it('reports a difference when the time zone data differ', async () => {
    const { exitCode, stderr } = await compareWith({ ...DIGEST, tzDataVersion: '2025b' });
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^tz data differs \(2025b then, 2026a now\)/)]);
  });

  it.each([
    ['no JSON', 'users  a1a1'],
    ['something else', '{"lines":[]}'],
  ])('refuses a file that is %s without contacting the service', async (_, content) => {
    const { exitCode, stderr } = await compareWith(content);
    expect([exitCode, service.requests]).toEqual([2, []]);
    expect(stderr).toContain('before.json is not what `digest --json` prints');
  });

  it('says that the file to compare with does not exist', async () => {
    const { exitCode, stderr } = await digest('--compare', join(folder, 'none.json'));
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/none\.json cannot be read: ENOENT/)]);
  });

  it('says where it looked when it finds neither a service nor data', async () => {
    const variables = { LAUREL_DATA_DIR: join(folder, 'nothing') };
    const { exitCode, stderr } = await runCommand(['digest'], { variables });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/nothing holds no data; LAUREL_DATA_DIR/)]);
  });
});
