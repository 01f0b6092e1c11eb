import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { runCommand, type RunOptions } from '../testing/run-command.ts';

const KEY = 'key-of-twenty-four-characters';

describe('a command that contacts the service', () => {
  const services: FakeService[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });
  const serve = async (answers: FakeAnswers, folder?: string) => {
    const service = await fakeService(answers, folder);
    services.push(service);
    return service;
  };
  const list = (service: FakeService, options: RunOptions = {}) =>
    runCommand(['keys', 'list'], { variables: service.variables, ...options });
  const listing = async (...answers: FakeAnswers[string][]) =>
    list(await serve({ 'GET /admin/v1/keys': answers.flat() }));

  it('uses the socket in the data folder without a key', async () => {
    const service = await serve({ 'GET /admin/v1/keys': ok([]) });
    const variables = { ...service.variables, LAUREL_API_KEY: KEY };
    expect(await list(service, { variables })).toMatchObject({
      exitCode: 0,
      stdout: 'there are no keys\n',
      stderr: '',
    });
    expect(service.requests).toEqual([{ route: 'GET /admin/v1/keys', body: '', key: null }]);
  });

  it('uses the given address with the key of the environment or of the option', async () => {
    const service = await serve({ 'GET /admin/v1/keys': ok([]) });
    const variables = { LAUREL_API_KEY: KEY };
    await runCommand(['keys', 'list', '--url', service.url], { variables });
    await runCommand(['keys', 'list', '--url', `${service.url}/`, '--api-key', 'another-key-Grüße-世界'], {
      variables,
    });
    expect(service.requests.map(({ key }) => Buffer.from(key ?? '', 'latin1').toString('utf8'))).toEqual([
      KEY,
      'another-key-Grüße-世界',
    ]);
    expect(service.requests.map(({ route }) => route)).toEqual(['GET /admin/v1/keys', 'GET /admin/v1/keys']);
  });

  it('never uses the port of the environment: it refuses a key without an address and sends it nowhere', async () => {
    const listener = await serve({ 'GET /admin/v1/keys': ok([]) });
    const variables = { LAUREL_PORT: new URL(listener.url).port };
    const { exitCode, stderr } = await runCommand(['keys', 'list', '--api-key', KEY], { variables });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/--api-key needs --url/)]);
    expect(listener.requests).toEqual([]);
  });

  it('names the sockets that it tried and the variables that must match the service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-none-'));
    await writeFile(join(folder, 'laurel.sock'), 'no socket');
    const tried = join(folder, 'laurel.sock');
    const inDemo = join(folder, 'demo', 'laurel.sock');
    const status = async (more = {}) => {
      const { exitCode, stdout, stderr } = await runCommand(['status'], {
        variables: { LAUREL_DATA_DIR: folder, ...more },
      });
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/LAUREL_DATA_DIR must be as the service has it.*--url/);
      return stderr;
    };
    for (const variables of [{}, { LAUREL_CONFIG: 'laurel.yaml' }])
      expect(await status(variables)).toContain(`no running service was found; tried ${tried}\n`);
    await mkdir(join(folder, 'demo'));
    expect(await status()).toContain(`no running service was found; tried ${tried} and ${inDemo}\n`);
    await rm(folder, { recursive: true });
  });

  it.each([
    ['in its data folder', ''],
    ['in the demo folder of release 0.1', 'demo'],
  ])('finds the socket %s, whatever variables the service was started with', async (_, inside) => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-any-'));
    await mkdir(join(folder, inside), { recursive: true });
    const service = await serve({ 'GET /admin/v1/keys': ok([]) }, join(folder, inside));
    const set = { LAUREL_CONFIG: 'laurel.yaml', LAUREL_DATABASE_URL: 'postgres://db/laurel' };
    for (const variables of [{}, set])
      expect(await list(service, { variables: { LAUREL_DATA_DIR: folder, ...variables } })).toMatchObject({
        exitCode: 0,
      });
    expect(service.requests).toHaveLength(2);
  });

  it.each([
    ['a missing key', ['--url', 'http://127.0.0.1:1'], /no API key: set LAUREL_API_KEY, or give --api-key/],
    ['an invalid address', ['--url', 'laurel', '--api-key', KEY], /--url is no address .*: laurel/],
    ['another protocol', ['--url', 'file:///etc/passwd', '--api-key', KEY], /--url is no address/],
    [
      'a password in the address',
      ['--url', 'http://a:b@127.0.0.1', '--api-key', KEY],
      /may hold no user and no password/,
    ],
    ['a port that fetch refuses', ['--url', 'http://127.0.0.1:1', '--api-key', KEY], /cannot be reached \(bad port\)/],
  ])('refuses %s and says what to do', async (_, words, expected) => {
    const { exitCode, stdout, stderr } = await runCommand(['status', ...words]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(expected);
  });

  it.each([
    ['LAUREL_API_KEY', [], { LAUREL_API_KEY: 'secret\nkey of more than 24 characters' }],
    ['--api-key', ['--api-key', 'secret\u0000key of more than 24 characters'], { LAUREL_API_KEY: KEY }],
  ])('says that the key of %s cannot be sent, without showing it', async (source, words, variables) => {
    const service = await serve({ 'GET /admin/v1/keys': ok([]) });
    for (const command of [['keys', 'list'], ['state'], ['digest']]) {
      const ran = await runCommand([...command, '--url', service.url, ...words], { variables });
      expect(ran).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: `laurel: the API key of ${source} must have no control characters, such as a line break\n`,
      });
    }
    expect(service.requests).toEqual([]);
  });

  it.each([
    ['unauthorized', /refused the API key \(401\): It is refused\.\n.*LAUREL_API_KEY or --api-key/],
    ['forbidden', /\(403\): It is refused\.\nUse one with the scope admin/],
    ['unknown_path', /does not know this request \(404\): the service is older than this command line/],
    ['method_not_allowed', /\(405\): the service is older/],
    ['internal', /failed \(500\): It is refused\. Its log says more/],
    ['invalid_request', /refused \(422\): It is refused\./],
    ['outcome_unknown', /refused \(503\): It is refused\./],
  ] as const)('explains a refusal: %s', async (code, expected) => {
    const { exitCode, stdout, stderr, waitedMs } = await listing(refused(code));
    expect([exitCode, stdout, waitedMs]).toEqual([2, '', []]);
    expect(stderr).toMatch(expected);
  });

  it('retries an unavailable request after the time that the service asks for', async () => {
    const { exitCode, stderr, waitedMs } = await listing(
      refused('rate_limited', 'Too many.', { 'retry-after': '7' }),
      refused('unavailable', 'Not now.'),
      refused('overloaded', 'Not now.', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }),
      refused('unavailable', 'Not now.', { 'retry-after': '86400' }),
      ok([]),
    );
    // A proxy may ask for a day: nobody waits so long before a terminal.
    expect([exitCode, waitedMs]).toEqual([0, [7_000, 1_000, 1_000, 60_000]]);
    expect(stderr).toMatch(/^\S+ is busy \(429\); asking again in 7s\n\S+ is busy \(503\); asking again in 1m 0s\n$/);
  });

  it('gives up after repeated refusals', async () => {
    const service = await serve({ 'GET /admin/v1/keys': refused('unavailable', 'The store cannot be reached.') });
    const { exitCode, stderr } = await list(service);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/turned the request away again and again \(503\): The store cannot be reached\./);
    expect(service.requests).toHaveLength(6);
  });

  it('recognizes an answer that does not come from Laurel', async () => {
    expect((await listing({ status: 200, body: '<html>' })).stderr).toMatch(/did not answer as a Laurel service does/);
    expect((await listing({ status: 502, body: '<html>' })).stderr).toMatch(/\(502\): is the address right\?/);
    const elsewhere = await serve({ 'GET /admin/v1/keys': ok([]) });
    const headers = { location: `${elsewhere.url}/admin/v1/keys` };
    expect((await listing({ status: 307, body: '', headers })).stderr).toMatch(/\(307\): is the address right\?/);
    expect(elsewhere.requests).toEqual([]);
  });

  it('does not take the 200 of another server for success', async () => {
    const server = createHttpServer((_, response) => response.end('[]')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const words of [['keys', 'list'], ['keys', 'revoke', 'x'], ['state'], ['export', 'events']]) {
      const { exitCode, stdout, stderr } = await runCommand([...words, '--url', url, '--api-key', KEY]);
      expect([words, exitCode, stdout]).toEqual([words, 2, '']);
      expect(stderr).toContain(`${url} did not answer as a Laurel service does (200): is the address right?`);
    }
    server.close();
  });

  it('says that the outcome is unknown when the answer was lost', async () => {
    const { exitCode, stderr } = await listing('drop');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/went away before it answered .*; whether the request was carried out is not known/);
  });

  it('gives up after 30 seconds without an answer', async () => {
    const { exitCode, stderr } = await list(await serve({ 'GET /admin/v1/keys': 'hang' }), { late: true });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/gave no answer within 30 seconds/);
  });

  it('stops at once on Ctrl-C, both during a request and during a pause', async () => {
    for (const answer of ['hang', refused('unavailable', 'Not now.', { 'retry-after': '40' })] as const) {
      const service = await serve({ 'GET /admin/v1/keys': answer });
      const interruption = new AbortController();
      const running = list(service, { interrupted: interruption.signal });
      await until(() => service.requests.length > 0);
      interruption.abort();
      expect(await running).toMatchObject({ exitCode: 130, stdout: '', stderr: 'laurel: stopped\n' });
    }
  });

  it('uses no other socket when the path of the folder is too long for one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-deep-'));
    const deep = join(folder, 'x'.repeat(120));
    const service = await serve({ 'GET /admin/v1/keys': ok([]) });
    // The system would cut the path here.
    await symlink(join(service.folder, 'laurel.sock'), join(deep, 'laurel.sock').slice(0, 108));
    const variables = { LAUREL_DATA_DIR: deep };
    expect((await runCommand(['keys', 'list'], { variables })).stderr).toContain('no running service was found');
    expect(service.requests).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('says that the socket or its folder belongs to another user', async () => {
    const service = await serve({ 'GET /admin/v1/keys': ok([]) });
    const socket = join(service.folder, 'laurel.sock');
    for (const [path, mode, open] of [
      [socket, 0o700, 0o755],
      [service.folder, 0o600, 0o700],
    ] as const) {
      await chmod(service.folder, open);
      await chmod(path, process.getuid?.() === 0 ? mode : 0);
      const { exitCode, stderr } = await asAnotherUser(() => list(service));
      await chmod(service.folder, 0o700);
      expect([exitCode, stderr]).toEqual([
        2,
        `laurel: ${socket} may not be used by this user: run the command as the user of the service, or give --url and --api-key\n`,
      ]);
    }
    expect(service.requests).toEqual([]);
  });

  it('ignores a socket that a dead process left behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-dead-'));
    const server = createServer().listen(join(folder, 'laurel.sock'));
    await once(server, 'listening');
    server.close();
    const variables = { LAUREL_DATA_DIR: folder };
    expect((await runCommand(['status'], { variables })).stderr).toContain('no running service was found');
    await rm(folder, { recursive: true });
  });
});

/** Root may do everything, so it becomes somebody else for a while; for anybody else the modes say enough. */
async function asAnotherUser<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
