import { once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Controller, Module, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { fullScopeKey } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { createHttpApplication, type HttpApplication } from './application.ts';
import { jsonBody } from './json-body.ts';
import { LocalSocketInUseError, localSocketPath } from './local-socket.ts';
import { type ApiCall, Call } from './call.ts';
import { operation } from './operation.fixture.ts';
import { Route } from './route.ts';

/** Only root may give a folder away. */
const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

let release: (() => void) | null = null;

@Controller()
class TestController {
  @Route(operation('get', '/account', 'admin'))
  account(@Call() { account }: ApiCall): object {
    return { account };
  }

  @Route(operation('post', '/echo', 'ingest'))
  echo(@Req() request: FastifyRequest): object {
    return jsonBody(request);
  }

  @Route(operation('get', '/slow', 'read'))
  async slow(): Promise<object> {
    await new Promise<void>((resolve) => (release = resolve));
    return { waited: true };
  }
}

@Module({ controllers: [TestController] })
class TestHttpModule {}

describe('the server on the local socket', () => {
  let folder: string;
  let dataDir: string;
  let open: { close(): Promise<unknown> }[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-local-'));
    dataDir = join(folder, 'data');
    open = [];
  });
  afterEach(async () => {
    for (const { close } of open) await close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<HttpApplication> {
    const application = await createHttpApplication({
      modules: [{ module: TestHttpModule }],
      keys: fullScopeKey('key', 'acme'),
      health: new Health(createClock({ type: 'system' })),
      logger: createLogger('silent'),
    });
    open.push(application);
    return application;
  }

  /** A socket file as a process leaves it behind that is killed. */
  async function leaveBehind(path: string): Promise<void> {
    const server = await listenAt(`${path}.moved`);
    await rm(path, { force: true });
    await rename(`${path}.moved`, path);
    server.close();
    await once(server, 'close');
  }

  it('admits anyone who may open the file without a key, with every scope of its account', async () => {
    const application = await start();
    const path = await application.listenLocally(dataDir, 'acme');
    expect(await ask(path, 'GET', '/account')).toMatchObject({ status: 200, json: { account: 'acme' } });
    expect(await ask(path, 'POST', '/echo', '{"a":1}')).toMatchObject({ status: 200, json: { a: 1 } });
  });

  it('creates a 0600 file in a 0700 folder and keeps the mode of an existing folder', async () => {
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    const umask = process.umask(0);
    try {
      const path = await (await start()).listenLocally(dataDir, 'acme');
      expect(path).toBe(join(dataDir, 'laurel.sock'));
      expect([await mode(path), await mode(dataDir)]).toEqual(['600', '700']);
      const shared = join(folder, 'shared');
      await mkdir(shared, { mode: 0o755 });
      await (await start()).listenLocally(shared, 'acme');
      expect(await mode(shared)).toBe('755');
      expect(await readdir(shared)).toEqual(['laurel.sock']);
    } finally {
      process.umask(umask);
    }
  });

  it('leaves TCP guarded, whatever a request claims about its origin', async () => {
    const application = await start();
    const path = await application.listenLocally(dataDir, 'acme');
    const url = await application.listen(0, '127.0.0.1');
    await ask(path, 'GET', '/account');
    const claims: Record<string, string>[] = [
      {},
      { forwarded: 'for=unix:' },
      { host: 'laurel.sock' },
      { 'x-api-key': path },
    ];
    for (const headers of claims) expect((await fetch(`${url}/account`, { headers })).status).toBe(401);
    expect((await application.fastify.inject({ url: '/account' })).statusCode).toBe(401);
  });

  it('follows every other rule of the TCP server', async () => {
    const path = await (await start()).listenLocally(dataDir, 'acme');
    expect((await ask(path, 'GET', '/nothing')).status).toBe(404);
    expect((await ask(path, 'DELETE', '/account')).status).toBe(405);
    expect((await ask(path, 'POST', '/echo', ' '.repeat(65_537))).status).toBe(413);
    expect((await ask(path, 'POST', '/echo', '{')).status).toBe(400);
    expect(await raw(path, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json/s);
    expect(await raw(path, 'GET /account HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n')).toMatch(/^HTTP\/1.1 417 /);
    expect(await raw(path, 'GET /account HTTP/1.1\r\n\r\n')).toContain('The Host header is missing.');
    expect(await raw(path, `GET / HTTP/1.1\r\nHost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
  });

  it('answers running requests before it closes, and removes its file', async () => {
    const application = await start();
    const path = await application.listenLocally(dataDir, 'acme');
    const answer = ask(path, 'GET', '/slow');
    while (release === null) await new Promise((resolve) => setImmediate(resolve));
    const closed = application.close();
    release();
    expect(await answer).toMatchObject({ status: 200, json: { waited: true } });
    await closed;
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('replaces the file of a dead process, and never that of a running one', async () => {
    await mkdir(dataDir);
    await leaveBehind(join(dataDir, 'laurel.sock'));
    expect(await servedSocket(dataDir)).toBeNull();
    const path = await (await start()).listenLocally(dataDir, 'acme');
    expect(await servedSocket(dataDir)).toBe(path);
    await expect((await start()).listenLocally(dataDir, 'other')).rejects.toThrow(LocalSocketInUseError);
    expect(await ask(path, 'GET', '/account')).toMatchObject({ json: { account: 'acme' } });
  });

  it('leaves a file that another process has put in its place', async () => {
    const application = await start();
    const path = await application.listenLocally(dataDir, 'acme');
    await rm(path);
    const other = await listenAt(path);
    await application.close();
    expect(await servedSocket(dataDir)).toBe(path);
    other.close();
  });

  describe('with a data folder too deep for a socket', () => {
    beforeEach(() => {
      dataDir = join(folder, 'x'.repeat(120));
    });

    it('opens it in a private folder elsewhere that both sides find', async () => {
      const application = await start();
      const path = await application.listenLocally(dataDir, 'acme');
      expect(path.startsWith(dataDir)).toBe(false);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
      expect(await localSocketPath(dataDir)).toBe(path);
      expect(await servedSocket(dataDir)).toBe(path);
      expect(await ask(path, 'GET', '/account')).toMatchObject({ status: 200 });
      await application.close();
      expect(await readdir(dataDir)).toEqual([]);
      await expect(stat(dirname(path))).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await servedSocket(dataDir)).toBeNull();
    });

    it('opens a new one after its process was killed, and removes the old folder', async () => {
      const gone = await mkdtemp(join(tmpdir(), 'laurel-'));
      await leaveBehind(join(gone, 'laurel.sock'));
      await mkdir(dataDir);
      await writeFile(join(dataDir, 'laurel.sock.path'), join(gone, 'laurel.sock'));
      const path = await (await start()).listenLocally(dataDir, 'acme');
      expect(await readFile(join(dataDir, 'laurel.sock.path'), 'utf8')).toBe(path);
      await expect(stat(gone)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    itAsRoot('is not found in a folder that now belongs to another user', async () => {
      const path = await (await start()).listenLocally(dataDir, 'acme');
      await chown(dirname(path), 65_534, 65_534);
      expect(await servedSocket(dataDir)).toBeNull();
      await chown(dirname(path), 0, 0);
      expect(await servedSocket(dataDir)).toBe(path);
    });
  });

  it('is found through a symbolic link to the data folder', async () => {
    const path = await (await start()).listenLocally(dataDir, 'acme');
    await symlink(dataDir, join(folder, 'link'));
    expect(await servedSocket(join(folder, 'link'))).toBe(path);
  });

  it('fails with the reason of the system when it cannot write', async () => {
    await writeFile(join(folder, 'file'), '');
    await chmod(folder, 0o755);
    await expect((await start()).listenLocally(join(folder, 'file', 'data'), 'acme')).rejects.toMatchObject({
      code: expect.stringMatching(/^E/),
    });
  });
});

/** The path at which somebody answers for a data folder, or null. */
async function servedSocket(dataDir: string): Promise<string | null> {
  const path = await localSocketPath(dataDir);
  const socket = connect(path);
  const answered = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return answered ? path : null;
}

async function listenAt(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, 'listening');
  return server;
}

async function ask(socketPath: string, method: string, path: string, body?: string) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const request = httpRequest({ socketPath, method, path, headers, agent: false });
  request.on('error', () => undefined).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, json: JSON.parse(text) as unknown };
}

async function raw(path: string, text: string): Promise<string> {
  const socket = connect(path).on('error', () => undefined);
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
    socket.end();
  });
  await once(socket, 'close');
  return answer;
}
