import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from '@laurel/configuration';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@laurel/embedded-postgres';
import pg from 'pg';
import { startProcess, type StandaloneProcess } from './testing/standalone-process.ts';

const KEY = 'a key of 24 characters, or more';

const production = (points: number, more = '') =>
  `version: 1\nmetrics: [{ key: orders, name: Orders }${more}]\n` +
  'streak: { frequency: daily, conditions: [{ metric: orders, threshold: 1 }] }\n' +
  `points: [{ key: xp, name: XP, triggers: [{ key: order, type: metric, metric: orders, threshold: 1, points: ${points} }] }]\n`;

/** An operator with a Postgres of their own, whose environment loses one variable after another. */
describe('a production service whose environment', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let everything: Readonly<Record<string, string>>;
  const processes: StandaloneProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-lost-'));
    await chmod(folder, 0o755);
    postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
    await writeFile(join(folder, 'laurel.yaml'), production(10));
    everything = {
      LAUREL_CONFIG: join(folder, 'laurel.yaml'),
      LAUREL_DATABASE_URL: await newDatabase('production'),
      LAUREL_DATA_DIR: join(folder, 'data'),
      LAUREL_API_KEY: KEY,
      LAUREL_HOST: '127.0.0.1',
    };
    const service = await start();
    expect(await order(service.url)).toMatchObject({ status: 201, body: { total: 1, points: { xp: { total: 10 } } } });
    expect((await publish(service.url, production(25))).status).toBe(201);
    const created = await ask(service.url, 'POST', '/admin/v1/keys', {
      label: 'app',
      scopes: ['admin', 'ingest', 'read'],
    });
    stored = (created.body as { key: string }).key;
    await stop();
  });
  afterEach(stop);
  afterAll(async () => {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  let stored = '';

  async function start(...lost: readonly string[]): Promise<StandaloneProcess> {
    const left = Object.fromEntries(Object.entries(everything).filter(([name]) => !lost.includes(name)));
    return launch(left);
  }

  async function launch(environment: Readonly<Record<string, string>>): Promise<StandaloneProcess> {
    const started = await startProcess(environment, folder);
    processes.push(started);
    return started;
  }

  /** @returns its address. A server of its own, because one for tests is not durable, and refused. */
  async function newDatabase(name: string): Promise<string> {
    const { user, password, host } = postgres.connection;
    const client = new pg.Client(postgres.connection);
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    return `postgres://${user}:${encodeURIComponent(password)}@localhost:${postgres.connection.port}/${name}?host=${encodeURIComponent(host)}`;
  }

  async function stop(): Promise<void> {
    for (const { process, ended } of processes.splice(0)) {
      process.kill('SIGTERM');
      await ended;
    }
  }

  const refusal = (...lost: readonly string[]) =>
    start(...lost).then(
      () => 'it started',
      (error: Error) => error.message,
    );

  async function ask(url: string, method: string, path: string, body?: unknown, key = KEY) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const order = (url: string, key = KEY) =>
    ask(url, 'POST', '/v1/metrics/orders/event', { user: { id: 'ada' }, value: 1 }, key);

  async function publish(url: string, text: string) {
    return ask(url, 'POST', '/admin/v1/configurations', { document: parseDocument(text, 'live').document });
  }

  /** The version that was published live is in force, the data is there, and nothing else was published. */
  async function expectProduction({ url, banner }: StandaloneProcess, key = KEY): Promise<void> {
    const before = (await ask(url, 'GET', '/v1/users/ada/points/xp', undefined, key)).body['total'] as number;
    expect(await order(url, key)).toMatchObject({
      status: 201,
      body: { points: { xp: { added: 25, total: before + 25 } } },
    });
    expect((await ask(url, 'GET', '/admin/v1/configurations', undefined, key)).body).toMatchObject([
      { version: 1 },
      { version: 2, current: true },
    ]);
    expect((await ask(url, 'GET', '/readyz')).body).not.toHaveProperty('configuration');
    expect(banner).not.toContain('demo');
  }

  it('is complete keeps the version published live after a restart with the same file', async () => {
    await expectProduction(await start());
  });

  it('lacks LAUREL_CONFIG keeps the version in force', async () => {
    const service = await start('LAUREL_CONFIG');
    await expectProduction(service);
    expect(service.banner).toContain('config   version 2, as published; LAUREL_CONFIG is not set');
  });

  it('lacks LAUREL_DATABASE_URL refuses to start, with or without the file', async () => {
    for (const lost of [['LAUREL_DATABASE_URL'], ['LAUREL_DATABASE_URL', 'LAUREL_CONFIG']])
      expect(await refusal(...lost)).toMatch(
        /^LAUREL_DATABASE_URL is not set, but the service of \S+\/data has its data in production on \S+: set it; .* remove \S+\/data\/laurel\.database\n$/,
      );
  });

  it('lacks LAUREL_DATA_DIR, LAUREL_HOST and LAUREL_CONFIG goes on with the same data', async () => {
    await expectProduction(await start('LAUREL_DATA_DIR', 'LAUREL_HOST', 'LAUREL_CONFIG'));
  });

  it('lacks LAUREL_API_KEY refuses that key, accepts stored keys and creates none', async () => {
    const service = await start('LAUREL_API_KEY');
    expect((await order(service.url)).status).toBe(401);
    expect(service.banner).not.toContain('lrl_');
    await expectProduction(service, stored);
  });

  it('names a missing file in LAUREL_CONFIG refuses to start and names variable and path', async () => {
    await rm(join(folder, 'laurel.yaml'));
    expect(await refusal()).toMatch(/^LAUREL_CONFIG \S+\/laurel\.yaml cannot be read: ENOENT/);
    await writeFile(join(folder, 'laurel.yaml'), production(10));
  });

  it('misspells a variable refuses to start and names the intended variable', async () => {
    const { LAUREL_CONFIG: config = '', ...others } = everything;
    const started = launch({ ...others, LAUREL_CONFG: config });
    await expect(started).rejects.toThrow(
      'LAUREL_CONFG is unknown; did you mean LAUREL_CONFIG? Rename it, or unset it',
    );
  });

  it('names an empty database refuses to start and installs no demo', async () => {
    const { LAUREL_CONFIG: _, ...others } = everything;
    const started = launch({ ...others, LAUREL_DATABASE_URL: await newDatabase('empty') });
    await expect(started).rejects.toThrow(
      'LAUREL_CONFIG is not set, and the database holds no configuration: set LAUREL_CONFIG to your configuration file',
    );
  });

  it('names a file with parts missing keeps the version in force, and logs and shows the plan', async () => {
    await writeFile(join(folder, 'laurel.yaml'), 'version: 1\nmetrics: [{ key: others, name: Others }]\n');
    const { url, banner, printed } = await start();
    expect(await order(url)).toMatchObject({ status: 201, body: { points: { xp: { added: 25 } } } });
    expect(banner).toMatch(/config {3}version 2; \S+\/laurel\.yaml was not published: see the log/);
    const why = 'ends streaks, removes metrics and drops what was published live';
    expect(printed()).toMatch(new RegExp(`"removes metrics".*"path":"metrics\\.orders".*its plan ${why}`));
    const { status, body } = await ask(url, 'GET', '/readyz');
    expect([status, body['configuration']]).toEqual([200, expect.stringContaining(`its plan ${why}; version 2 stays`)]);
    expect((await ask(url, 'GET', '/admin/v1/status')).body).toMatchObject({
      configurationVersion: 2,
      heldBackConfiguration: { reasons: ['ends streaks', 'removes metrics', 'drops what was published live'] },
    });
  });
});

describe('an embedded service without its LAUREL_CONFIG', () => {
  it('goes on with its data and the version in force', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-lost-'));
    await chmod(folder, 0o755);
    const config = join(folder, 'laurel.yaml');
    await writeFile(config, production(10));
    const environment = { LAUREL_DATA_DIR: join(folder, 'data'), LAUREL_API_KEY: KEY };
    try {
      const first = await startProcess({ ...environment, LAUREL_CONFIG: config });
      first.process.kill('SIGTERM');
      await first.ended;
      const second = await startProcess(environment);
      expect(second.banner).toContain('config   version 1, as published; LAUREL_CONFIG is not set');
      expect(second.banner).toContain(`data     ${join(folder, 'data')}\n`);
      second.process.kill('SIGTERM');
      await second.ended;
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  });
});
