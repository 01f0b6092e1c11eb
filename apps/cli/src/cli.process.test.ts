import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiKeyAnswer, DigestAnswer, RebuildAnswer, ServiceStatus } from '@laurel/schemas';
import { localSocketPath } from '@laurel/runtime';
import { fakeService, ok } from './testing/fake-service.ts';
import { HARMLESS } from './testing/harmful-texts.ts';
import { startLaurel, startServiceProcess, type ServiceProcess } from './testing/processes.ts';
import { runCommand } from './testing/run-command.ts';

const KEY = 'a key of 24 characters, or more';
const AREAS = ['users', 'streaks', 'achievements', 'points', 'leaderboards'];
const CONFIGURATION = `
version: 1
metrics: [{ key: orders, name: Orders }]
streak: { frequency: daily, conditions: [{ metric: orders, threshold: 1 }] }
achievements: [{ key: first, name: First, trigger: { type: metric, metric: orders, value: 1 } }]
points: [{ key: xp, name: XP, triggers: [{ type: metric, metric: orders, threshold: 1, points: 10 }] }]
leaderboards: [{ key: all, name: All, rankBy: points, pointsSystem: xp, start: 2026-01-01 }]
`;
const HISTORY = ['ada', 'grace', '__proto__', '\u001b]0;x\u0007\u202e']
  .map((id, day) =>
    JSON.stringify({
      metric: 'orders',
      user: { id },
      value: day + 1,
      // No streak has ended by the time on the clock: the next sweep has nothing to settle.
      timestamp: `2026-10-05T0${day + 1}:00:00Z`,
      idempotencyKey: `order-${day}`,
    }),
  )
  .join('\n');

/** One data folder, in the order in which an operator goes: each test relies on what those before it have left. */
describe('the command line beside a service process', () => {
  let folder: string;
  let variables: Record<string, string>;
  let service: ServiceProcess | null;
  const file = (name: string) => join(folder, name);
  /** Within this process, which is faster, and in one of its own, as people have it. */
  const laurel = (...words: string[]) => runCommand(words, { variables });
  const spawned = (...words: string[]) => startLaurel(words, variables).ended;
  const overHttp = (key: string, ...words: string[]) =>
    startLaurel([...words, '--url', service?.url ?? ''], { LAUREL_API_KEY: key }).ended;
  const digest = async (): Promise<DigestAnswer> =>
    JSON.parse((await laurel('digest', '--json')).stdout) as DigestAnswer;
  const readWith = (key: string) =>
    fetch(`${service?.url}/v1/users/ada/points/xp`, { headers: { 'x-api-key': key } }).then(({ status }) => status);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-cli-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    await writeFile(file('laurel.yaml'), CONFIGURATION);
    await writeFile(file('history.ndjson'), `${HISTORY}\n`);
    variables = {
      LAUREL_DATA_DIR: file('data'),
      LAUREL_CONFIG: file('laurel.yaml'),
      LAUREL_CLOCK: '2026-10-05T12:00:00Z,frozen',
    };
    service = await startServiceProcess({ ...variables, LAUREL_API_KEY: KEY });
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  it('shows over the socket and over HTTP that the service is ready', async () => {
    const { exitCode, stdout, stderr } = await spawned('status');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Laurel \S+ is ready\n[\s\S]*LAUREL_CLOCK[\s\S]*version 1\n/);
    const status = JSON.parse((await overHttp(KEY, 'status', '--json')).stdout) as ServiceStatus;
    expect(status).toMatchObject({ ready: true, configurationVersion: 1 });
    expect(status.areas.map(({ area }) => area)).toEqual(AREAS);
  });

  it('imports a history once, however often the command runs', async () => {
    const lines = ['4 recorded, 0 already known, 0 refused\n', '0 recorded, 4 already known, 0 refused\n'];
    for (const stdout of lines)
      expect(await laurel('import', file('history.ndjson'))).toMatchObject({ exitCode: 0, stdout });
    await writeFile(file('bad.ndjson'), '{"metric":"none","user":{"id":"ada"},"value":1}\n');
    const bad = await spawned('import', file('bad.ndjson'));
    expect(bad).toMatchObject({ exitCode: 1, stdout: '0 recorded, 0 already known, 1 refused\n' });
    expect(bad.stderr).toMatch(/^line 1: There is no metric 'none'\.$/m);
  });

  it('backs up a running service, and a service on the copy has the same digest', async () => {
    const before = await digest();
    await writeFile(file('data/secrets.key'), 'a key of webhooks\n');
    const { exitCode, stdout, stderr } = await laurel('backup', file('backup'));
    expect([exitCode, stderr]).toEqual([0, 'secrets.key is not in the backup: copy it as well\n']);
    expect(await readdir(file('backup'))).not.toContain('secrets.key');
    await rm(file('data/secrets.key'));
    expect(await laurel('backup', file('second'))).toMatchObject({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/\/backup: \d+ files, \d+\.\d MiB, up to [0-9A-F]+\/[0-9A-F]+\n$/);
    const ofBackup = { ...variables, LAUREL_DATA_DIR: file('backup') };
    const restored = await startServiceProcess({ ...ofBackup, LAUREL_API_KEY: KEY });
    const after = await runCommand(['digest', '--json'], { variables: ofBackup });
    await restored.stop();
    expect(JSON.parse(after.stdout)).toEqual(before);
    expect(await laurel('backup', file('backup'))).toMatchObject({
      exitCode: 2,
      stderr: `laurel: ${file('backup')} is not empty\n`,
    });
  });

  it('creates a key that works, lists it and revokes it at once', async () => {
    const made = await laurel('keys', 'create', '--label', 'mobile\u202e', '--scope', 'read', '--expires', '90d');
    expect(made.stdout).toMatch(/^lrl_[0-9A-Za-z]{36}\n$/);
    const key = made.stdout.trim();
    expect(await readWith(key)).toBe(200);

    expect((await laurel('keys', 'list')).stdout).toMatch(
      /^\S+ +mobile\\u\{202e\} +read +2026-10-05T12:00:00\S* +2027-01-03T12:00:00/m,
    );
    const listed = JSON.parse((await laurel('keys', 'list', '--json')).stdout) as ApiKeyAnswer[];
    const [{ id } = { id: '' }] = listed.filter(({ label }) => label === 'mobile\u202e');
    const revoked = await laurel('keys', 'revoke', id);
    expect(revoked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`revoked ${id}`) as string });
    expect(await readWith(key)).toBe(401);
    const refused = await overHttp(key, 'status');
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('revoked') as string });
  });

  it('erases a user with a certificate, and nobody by the preview alone', async () => {
    const words = ['user', 'erase', 'grace', '--reason', 'asked for by letter'];
    const shown = await spawned(...words);
    expect([shown.exitCode, shown.stdout]).toEqual([2, '']);
    expect(shown.stderr).toMatch(/^what erasing grace would change; .*\nplace +rows +becomes\nsubjects +1 +deleted\n/);
    const [, previewId = ''] = /--preview (\S+)\n$/.exec(shown.stderr) ?? [];
    expect((await laurel('user', 'show', 'grace')).exitCode).toBe(0);
    const { exitCode, stdout } = await overHttp(KEY, ...words, '--preview', previewId);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^erased grace at 2026-10-05T12:00:00.000Z, event \S+; boards: remove\nplace +rows +becomes\n/,
    );
    expect(stdout.split('\n').slice(2)).toEqual(shown.stderr.split('\n').slice(2, -2).concat(''));
    expect(await laurel(...words, '--yes')).toMatchObject({ exitCode: 2, stderr: 'laurel: there is no user grace\n' });
    const { stdout: audit } = await laurel('audit', '--limit', '1');
    expect(audit).toMatch(/UserErased .*asked for by letter/);
    expect(audit).not.toContain('grace');
  });

  it('rebuilds everything and each area without changing the digest', async () => {
    const before = await digest();
    expect(before.lines.map(({ name }) => name)).toEqual([...AREAS, 'rank history']);
    await writeFile(file('before.json'), JSON.stringify(before));
    const whole = await spawned('rebuild');
    expect(whole).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^rebuilt users, .*leaderboards: /) as string,
    });
    const points = await laurel('rebuild', 'points', '--json');
    expect(JSON.parse(points.stdout) as RebuildAnswer).toMatchObject({ areas: ['points'], state: 'done', error: null });
    expect(await laurel('digest', '--compare', file('before.json'))).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await laurel('status')).stdout).toMatch(/rebuild +done \(points; /);
  });

  it('prints the same state from the database and from the service, without escape sequences', async () => {
    const direct = await spawned('state');
    const through = await overHttp(KEY, 'state');
    expect([direct.exitCode, through.exitCode]).toEqual([0, 0]);
    expect(through.stdout).toBe(direct.stdout);
    expect(direct.stdout).toMatch(HARMLESS);
    const { events, users } = JSON.parse(direct.stdout) as { events: number; users: object };
    expect([events, Object.keys(users).sort()]).toEqual([4, ['\u001b]0;x\u0007\u202e', '__proto__', 'ada']]);
  });

  it('refuses to rebuild beside a running service when it does not find the socket', async () => {
    const socket = await localSocketPath(file('data'));
    await rm(socket);
    const { exitCode, stdout, stderr } = await laurel('rebuild');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/a service runs on this database, .*: rebuild through it with --url/);
    expect((await laurel('digest')).exitCode).toBe(0);
    expect((await laurel('status')).stderr).toContain(`no running service was found; tried ${socket}`);
  });

  it('prints digest and state and rebuilds while the service is stopped', async () => {
    expect(await service?.stop()).toBe(0);
    const { url } = service ?? { url: '' };
    service = null;
    expect(await startLaurel(['status', '--url', url], { LAUREL_API_KEY: KEY }).ended).toMatchObject({
      exitCode: 2,
      stderr: `laurel: ${url} cannot be reached (ECONNREFUSED)\n`,
    });
    expect(await spawned('digest', '--compare', file('before.json'))).toMatchObject({
      exitCode: 0,
      stderr: 'the service is stopped; starting its database for this command\n',
    });
    const rebuilt = await laurel('rebuild', '--json');
    expect(JSON.parse(rebuilt.stdout)).toMatchObject({ id: null, areas: AREAS, state: 'done', error: null });
    expect((await laurel('digest', '--compare', file('before.json'))).exitCode).toBe(0);
    expect((await laurel('state')).stdout).toContain('"__proto__":{');
  });

  it('abandons an offline rebuild on Ctrl-C and leaves everything as it was', async () => {
    const rebuilding = startLaurel(['rebuild'], variables);
    while (!rebuilding.stderr().includes('starting its database'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    rebuilding.interrupt();
    const { exitCode, stdout } = await rebuilding.ended;
    expect([exitCode, stdout]).toEqual([130, '']);
    // The database has been stopped again and the folder is free.
    expect((await laurel('digest', '--compare', file('before.json'))).exitCode).toBe(0);
  });

  it('stops on Ctrl-C while it waits for an answer', async () => {
    const silent = await fakeService({ 'GET /admin/v1/keys': 'hang' });
    const listing = startLaurel(['keys', 'list'], silent.variables);
    while (silent.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    listing.interrupt();
    expect(await listing.ended).toEqual({ exitCode: 130, stdout: '', stderr: 'laurel: stopped\n' });
    await silent.close();
  });

  it('cleans up when its output is closed', async () => {
    const webhook = { id: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
    const deleting = `DELETE /admin/v1/webhooks/${webhook.id}`;
    const fake = await fakeService({ 'POST /admin/v1/webhooks': ok(webhook, 201), [deleting]: ok(webhook) });
    const listening = startLaurel(['webhooks', 'listen', '--port', '0'], fake.variables);
    const url = () => /listening on (\S+);/.exec(listening.stderr())?.[1];
    while (url() === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    listening.closeOutput();
    await expect(fetch(url() ?? '', { method: 'POST', body: '{}' })).rejects.toThrow('fetch failed');
    const { exitCode, stderr } = await listening.ended;
    expect([exitCode, stderr.trim().split('\n').at(-1)]).toEqual([141, `deleted the webhook ${webhook.id}`]);
    expect(fake.requests.map(({ route }) => route)).toContain(deleting);
    await fake.close();
  });

  it('leaves nothing behind in an empty folder that it only read', async () => {
    const options = { variables: { ...variables, LAUREL_DATA_DIR: file('nowhere') } };
    for (const words of [['status'], ['digest'], ['rebuild'], ['state'], ['keys', 'list']])
      expect(await runCommand(words, options)).toMatchObject({ exitCode: 2, stdout: '' });
    await expect(stat(file('nowhere'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
