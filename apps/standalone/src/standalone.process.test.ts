import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientConfig } from '@laurel/database';
import { inspectEmbeddedPostgres } from '@laurel/embedded-postgres';
import { freePort } from '@laurel/testing/faults';
import pg from 'pg';
import { startProcess, type StandaloneProcess } from './testing/standalone-process.ts';

const KEY = 'a key of 24 characters, or more';

describe('the standalone process', () => {
  let folder: string;
  const processes: StandaloneProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-process-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
  });
  afterEach(async () => {
    for (const { process, ended } of processes.splice(0)) {
      process.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<StandaloneProcess> => {
    const started = await startProcess({ LAUREL_DATA_DIR: join(folder, 'data'), ...environment });
    processes.push(started);
    return started;
  };

  it('prints a short banner with a key, once, and a curl command that shows every feature', async () => {
    const first = await start();
    expect(first.banner.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
    const key = /lrl_\w{36}/.exec(first.banner)?.[0] ?? '';
    const curl = /^curl (\S+) .*-d '(.*)'$/m.exec(first.banner);
    const answer = await post(curl?.[1] ?? '', key, curl?.[2] ?? '');
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      currentStreak: { extended: true },
      achievements: [{}],
      points: { xp: {} },
      leaderboards: { weekly: { rank: 1 } },
    });
    const token = /\/console\/first-event#token=(\S+)/.exec(first.banner)?.[1];
    const signIn = () => post(`${first.url}/console/session`, '', JSON.stringify({ token }));
    expect((await signIn()).status).toBe(201);
    expect((await signIn()).status).toBe(401);

    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const second = await start();
    expect(second.banner).not.toContain('lrl_');
    expect(second.banner).toContain(
      '  API key  was shown once; make another with: npx laurel keys create --label NAME --scope ingest\n',
    );
    expect(second.banner).toMatch(/^ {2}console {2}http:\S+\/console$/m);
    expect((await post(`${second.url}/api/metrics/lessons/event`, key, curl?.[2] ?? '')).body).toMatchObject({
      total: 2,
      currentStreak: { extended: false },
    });
  });

  it('prints the seconds of each start-up step unless the log level is above info', async () => {
    const { printed, process, ended } = await start({ LAUREL_LOG_LEVEL: 'info' });
    const steps = printed().match(/^[A-Z].*: \d+\.\d s$/gm) ?? [];
    expect(steps.map((line) => line.replace(/: .*/, ''))).toEqual([
      'Loading the service',
      'Opening the database',
      'Migrating the database',
      'Catching up with the log',
      'Publishing the configuration',
      'Warming up',
      'Opening the API',
    ]);
    process.kill('SIGTERM');
    await ended;
    expect((await start()).printed()).not.toContain('Opening the database');
  });

  it('restores everything at once after kill -9, also the answers to used keys', async () => {
    let total = 0;
    for (let round = 0; round < 3; round++) {
      const service = await start({ LAUREL_API_KEY: KEY });
      const url = `${service.url}/api/metrics/lessons/event`;
      if (round > 0)
        expect((await post(url, KEY, event('ada'), `round-${round - 1}`)).body).toMatchObject({
          total,
          idempotentReplayed: true,
        });
      const answers = await Promise.all(
        [`round-${round}`, `more-${round}`].map((key) => post(url, KEY, event('ada'), key)),
      );
      total += 2;
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      service.process.kill('SIGKILL');
      await service.ended;
    }
    const service = await start({ LAUREL_API_KEY: KEY });
    expect((await post(`${service.url}/v1/metrics/lessons/event`, KEY, event('ada'))).body).toMatchObject({
      total: total + 1,
    });
  });

  it('loses nothing when its Postgres is killed, and counts a retry with its key once', async () => {
    const service = await start({ LAUREL_API_KEY: KEY });
    const url = `${service.url}/api/metrics/lessons/event`;
    const pidFile = join(folder, 'data', 'postgres', 'postmaster.pid');
    const refused: number[] = [];
    for (let round = 0; round < 30; round++) {
      if (round === 10) process.kill(Number.parseInt(await readFile(pidFile, 'utf8'), 10), 'SIGKILL');
      for (;;) {
        const { status } = await post(url, KEY, event('ada'), `round-${round}`);
        if (status === 201 || status === 202) break;
        refused.push(status);
      }
    }
    expect((await post(url, KEY, event('ada'))).body).toMatchObject({ total: 31 });
    expect(refused.every((status) => status === 503)).toBe(true);
    expect(service.process.exitCode).toBeNull();
  });

  it('answers running requests before it stops', async () => {
    const service = await start({ LAUREL_API_KEY: KEY });
    const url = `${service.url}/api/metrics/lessons/event`;
    await post(url, KEY, event('ada'));
    const underWay = Array.from({ length: 50 }, (_, index) =>
      post(url, KEY, event('ada'), `k${index}`).catch(() => null),
    );
    service.process.kill('SIGTERM');
    const answers = await Promise.all(underWay);
    expect(await service.ended).toBe(0);
    const again = await start({ LAUREL_API_KEY: KEY });
    const { body } = await post(`${again.url}/api/metrics/lessons/event`, KEY, event('ada'));
    expect(body['total']).toBeGreaterThanOrEqual(2 + answers.filter((answer) => answer?.status === 201).length);
  });

  it('refuses to start on a data folder in use and names the process that holds it', async () => {
    const first = await start({ LAUREL_API_KEY: KEY });
    await expect(start({ LAUREL_API_KEY: KEY })).rejects.toThrow(new RegExp(`${first.process.pid}`));
    expect((await post(`${first.url}/api/metrics/lessons/event`, KEY, event('ada'))).status).toBe(201);
  });

  it('still shows its new key after a start that failed because the port was taken', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as AddressInfo;
    await expect(start({ LAUREL_PORT: String(port) })).rejects.toThrow(
      `port ${port} of 127.0.0.1 is in use; set LAUREL_PORT`,
    );
    await expect(stat(join(folder, 'data'))).rejects.toMatchObject({ code: 'ENOENT' });
    busy.close();
    expect((await start({ LAUREL_PORT: String(port) })).banner).toContain('lrl_');
  });

  it('answers from the first moment of its start and names the current step', async () => {
    const port = await freePort();
    const seen = new Set<unknown>();
    const alive = new Set<unknown>();
    const starting = start({ LAUREL_PORT: String(port) });
    const read = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    for (let ready = false; !ready;) {
      const health = await read('/healthz');
      if (health !== null) alive.add(health.status);
      const answer = await read('/readyz');
      const body = ((await answer?.json()) ?? {}) as {
        code?: string;
        components?: { start?: { detail: { step: string } } };
      };
      if (body.code === 'starting') seen.add(body.components?.start?.detail.step);
      ready = answer?.status === 200;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await starting;
    expect(seen).toContain('opening the database');
    expect(alive).toEqual(new Set([200]));
  });

  it('prints in one line what is wrong with an external database', async () => {
    const refusalOf = (url: string) =>
      start({ LAUREL_DATABASE_URL: url, LAUREL_API_KEY: KEY }).catch((error: Error) => error.message.trim());
    expect(await refusalOf('postgres://a:b@127.0.0.1:1/c')).toMatch(
      /^the database of LAUREL_DATABASE_URL \(127.0.0.1:1\/c\) cannot be used: .*ECONNREFUSED.*$/,
    );
    expect(await refusalOf('postgres://a:p%ZZ@127.0.0.1:1/c')).toMatch(
      /^LAUREL_DATABASE_URL has % in its user name or password: percent-encode it, as %25$/,
    );
    expect(await refusalOf('postgres://a:secret@127.0.0.1:1')).toMatch(
      /^LAUREL_DATABASE_URL names no database; expected .*$/,
    );
  });

  it('refuses an invalid configuration with file, line, column and path, and applies nothing', async () => {
    const file = join(folder, 'laurel.yaml');
    await writeFile(
      file,
      'version: 1\nmetrics:\n  - { key: a, name: A }\npoints:\n  - { key: xp, name: XP, triggers: [{ type: metric, metrik: a, threshold: 0, points: 1 }] }\n',
    );
    const refusal = await start({ LAUREL_CONFIG: file }).catch((error: Error) => error.message);
    expect(refusal).toContain(`${file}:5:`);
    expect(refusal).toContain('points[0].triggers[0].metrik');
    expect(refusal).toContain('points[0].triggers[0].threshold');
    await expect(readFile(join(folder, 'data', 'postgres', 'PG_VERSION'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('names every invalid environment variable and prints no secret', async () => {
    const refusal = await start({ LAUREL_PORT: 'abc', LAUREL_API_KEY: 'too short', LAUREL_CLOCK: 'yesterday' }).catch(
      (error: Error) => error.message,
    );
    expect(refusal).toEqual(expect.stringMatching(/LAUREL_PORT[\s\S]*LAUREL_API_KEY[\s\S]*LAUREL_CLOCK/));
    expect(refusal).not.toContain('too short');
  });

  it('publishes a changed configuration as the next version, but not an unchanged one', async () => {
    const file = join(folder, 'laurel.yaml');
    const configuration = (points: number) =>
      `version: 1\nmetrics: [{ key: lessons, name: L }]\npoints: [{ key: xp, name: XP, triggers: [{ type: metric, metric: lessons, threshold: 1, points: ${points} }] }]\n`;
    const earned: unknown[] = [];
    for (const points of [10, 10, 25]) {
      await writeFile(file, configuration(points));
      const service = await start({ LAUREL_API_KEY: KEY, LAUREL_CONFIG: file });
      const { body } = await post(`${service.url}/api/metrics/lessons/event`, KEY, event('ada'));
      earned.push((body['points'] as Record<string, { total: number }>)['xp']?.total);
      service.process.kill('SIGTERM');
      await service.ended;
    }
    expect(earned).toEqual([10, 20, 45]);
  });

  it('shows a file as written and updates a changed comment without a new version', async () => {
    const file = join(folder, 'laurel.yaml');
    const written = (comment: string) =>
      `# ${comment}\nmetrics: # the order is ours\n  - { name: Lessons, key: lessons }\nversion: 1\n`;
    const seen: unknown[] = [];
    for (const comment of ['first', 'second']) {
      await writeFile(file, written(comment));
      const service = await start({ LAUREL_API_KEY: KEY, LAUREL_CONFIG: file });
      const ask = async (path: string, method = 'GET') =>
        (await (
          await fetch(`${service.url}/admin/v1/${path}`, { method, headers: { 'x-api-key': KEY } })
        ).json()) as Record<string, unknown>;
      if (comment === 'first') await post(`${service.url}/api/metrics/lessons/event`, KEY, event('ada'));
      const { id } = await ask('rebuilds', 'POST');
      while ((await ask(`rebuilds/${String(id)}`))['state'] === 'running')
        await new Promise((resolve) => setTimeout(resolve, 50));
      const { version, text } = await ask('configurations/current');
      const { areas, position } = await ask('digest');
      seen.push({ version, text, digest: [areas, position] });
      service.process.kill('SIGTERM');
      await service.ended;
    }
    const [first] = seen as { digest: unknown }[];
    expect(seen).toEqual([
      { version: 1, text: written('first'), digest: first?.digest },
      { version: 1, text: written('second'), digest: first?.digest },
    ]);
  });

  it('logs that outcomes cannot be created, and creates them later', async () => {
    const file = join(folder, 'laurel.yaml');
    await writeFile(file, 'version: 1\nmetrics: [{ key: lessons, name: L }]\noutgoing: { events: all }\n');
    const { url, printed, process } = await start({ LAUREL_API_KEY: KEY, LAUREL_CONFIG: file });
    const found = await inspectEmbeddedPostgres(join(folder, 'data'));
    if (found.state !== 'running') throw new Error(`the embedded database is ${found.state}`);
    const database = new pg.Client(clientConfig(found.connection));
    await database.connect();
    try {
      await database.query('alter table outcomes rename to elsewhere');
      expect((await post(`${url}/api/metrics/lessons/event`, KEY, event('ada'))).status).toBe(201);
      while (!printed().includes('outcomes could not be made or deleted; they are tried again')) {
        expect(process.exitCode).toBeNull();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await database.query('alter table elsewhere rename to outcomes');
    } finally {
      await database.end();
    }
    const read = async () =>
      (await fetch(`${url}/admin/v1/outcomes?wait=30`, { headers: { 'x-api-key': KEY } })).text();
    let outcomes = '';
    while (!outcomes.includes('"user.created"')) outcomes = await read();
  });
});

const event = (id: string): string => JSON.stringify({ user: { id }, value: 1 });

async function post(url: string, key: string, body: string, idempotencyKey?: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': key,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
