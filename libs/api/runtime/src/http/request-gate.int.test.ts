import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Module, Query } from '@nestjs/common';
import { fullScopeKey } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import type { HttpLimits } from '../environment/http-limits.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { createHttpApplication, type HttpApplication } from './application.ts';
import { operation } from './operation.fixture.ts';
import { Route } from './route.ts';

/** What the route is doing: each request of it waits until it is let go. */
const work = { inProgress: 0, most: 0, begun: [] as number[], release: [] as (() => void)[] };

@Controller()
class TestController {
  @Route(operation('get', '/slow', 'read'))
  async work(@Query('n') n: string): Promise<object> {
    work.begun.push(Number(n));
    work.most = Math.max(work.most, ++work.inProgress);
    await new Promise<void>((resolve) => work.release.push(resolve));
    work.inProgress--;
    return { n: Number(n) };
  }

  @Route(operation('get', '/large', 'read'))
  large(): string {
    work.begun.push(0);
    return LARGE;
  }
}

@Module({ controllers: [TestController] })
class TestHttpModule {}

const LARGE = 'x'.repeat(1_000_000);
const FREE = { waitingRequests: 1_000_000 };

describe('a server under more requests than it can handle at once', () => {
  const open: HttpApplication[] = [];
  const sockets: Socket[] = [];
  beforeEach(() => Object.assign(work, { inProgress: 0, most: 0, begun: [], release: [] }));
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    letGo();
    for (const http of open.splice(0)) {
      http.closeConnections();
      await http.close();
    }
  });

  const start = async (limits: Partial<HttpLimits>) => {
    const http = await createHttpApplication({
      modules: [{ module: TestHttpModule }],
      keys: fullScopeKey('key', 'acme'),
      health: new Health(createClock({ type: 'system' })),
      logger: createLogger('silent'),
      limits,
    });
    open.push(http);
    return { http, port: Number(new URL(await http.listen(0, '127.0.0.1')).port) };
  };
  const dial = async (to: number | string) => {
    const socket = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };

  it('works on a few requests of a connection at a time and answers all in order', async () => {
    const { port } = await start({ requestsPerConnection: 4, ...FREE });
    const socket = await dial(port);
    const answers = numbersFrom(socket);
    socket.write(range(200).map(workRequest).join(''));
    await until(() => work.begun.length === 4);
    while (answers.length < 200) {
      letGo();
      await turn();
    }
    expect(work.most).toBe(4);
    expect(work.begun).toEqual(range(200));
    expect(answers).toEqual(range(200));
  });

  it('limits a connection on the local socket, too', async () => {
    const { http } = await start({ requestsPerConnection: 4, ...FREE });
    const folder = await mkdtemp(join(tmpdir(), 'laurel-gate-'));
    const socket = await dial(await http.listenLocally(folder, 'acme'));
    const answers = numbersFrom(socket);
    socket.write(range(50).map(workRequest).join(''));
    await until(() => work.begun.length === 4);
    while (answers.length < 50) {
      letGo();
      await turn();
    }
    expect([work.most, answers]).toEqual([4, range(50)]);
    await rm(folder, { recursive: true });
  });

  it('reads no further from a connection whose requests are queued', async () => {
    const { http, port } = await start({ requestsPerConnection: 2, ...FREE });
    let arrived = 0;
    http.fastify.server.on('request', () => arrived++);
    const socket = await dial(port);
    const answers = numbersFrom(socket);
    const total = 100_000;
    socket.write(range(total).map(workRequest).join(''));
    await until(() => work.begun.length === 2);
    while (answers.length < 300) {
      letGo();
      await turn();
    }
    // As many as one reading of 64 KiB holds, and those that were answered.
    expect(arrived - answers.length).toBeLessThan(2 * (65_536 / workRequest(0).length));
    expect(socket.writableLength).toBeGreaterThan(0);
  });

  it('starts only a few requests of a client that does not read the answers', async () => {
    const { port } = await start({ requestsPerConnection: 4, ...FREE });
    const socket = await dial(port);
    socket.pause();
    const held = await heldBy(socket, 1_000);
    expect(work.begun.length).toBe(held);
    const answers = numbersFrom(socket, /HTTP\/1.1 200/g);
    socket.resume();
    await until(() => answers.length === 1_000);
    expect(work.begun.length).toBe(1_000);
  });

  /** Asks for a large answer often, until nothing more is begun. */
  const heldBy = async (socket: Socket, times: number) => {
    socket.write(request('/large').repeat(times));
    let [before, quiet] = [0, 0];
    while (quiet < 100) {
      await turn();
      quiet = work.begun.length === before && before > 0 ? quiet + 1 : 0;
      before = work.begun.length;
    }
    expect(before).toBeLessThan(100);
    return before;
  };

  it('starts only a few queued requests per turn of the event loop, over all connections', async () => {
    const { port } = await start({ requestsPerConnection: 100, ...FREE });
    const sockets = await Promise.all(range(400).map(() => dial(port)));
    for (const socket of sockets) socket.write(workRequest(0));
    await until(() => work.begun.length === 400);
    for (const socket of sockets) socket.write(range(20).map(workRequest).join(''));
    let most = 0;
    for (let before = 400; work.begun.length < 400 * 21; before = work.begun.length) {
      await turn();
      most = Math.max(most, work.begun.length - before);
    }
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(2 * 64);
  });

  it('ends busy connections when too many requests are queued, and serves the others', async () => {
    const { port } = await start({ requestsPerConnection: 4, waitingRequests: 100 });
    const greedy = await Promise.all(range(20).map(() => dial(port)));
    for (const socket of greedy) socket.write(range(50).map(workRequest).join(''));
    await until(() => greedy.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length >= 15);
    const modest = await dial(port);
    const answers = numbersFrom(modest);
    modest.write(range(8).map(workRequest).join(''));
    while (answers.length < 8) {
      letGo();
      await turn();
    }
    expect(answers).toEqual(range(8));
  });

  it('closes connections beyond the limit and accepts new ones as soon as others have ended', async () => {
    const { port } = await start({ connections: 3 });
    const kept = await Promise.all(range(3).map(() => dial(port)));
    const beyond = await dial(port);
    await once(beyond, 'close');
    for (const socket of kept) socket.write(workRequest(1));
    await until(() => work.begun.length === 3);
    kept[0]?.destroy();
    for (;;) {
      const next = await dial(port);
      const answers = numbersFrom(next);
      next.write(workRequest(7));
      await until(() => work.begun.includes(7) || next.destroyed || next.readableEnded);
      if (!work.begun.includes(7)) continue;
      letGo();
      await until(() => answers.length === 1);
      return;
    }
  });

  it('lets a client send any number of requests on one connection', async () => {
    const { port } = await start({ connections: 1, requestsPerConnection: 1, waitingRequests: 0 });
    const socket = await dial(port);
    const answers = numbersFrom(socket);
    for (const n of range(500)) {
      socket.write(workRequest(n));
      await until(() => work.release.length > 0);
      letGo();
      await until(() => answers.length === n + 1);
    }
    expect(answers).toEqual(range(500));
  });
});

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: key\r\n\r\n`;
const workRequest = (n: number): string => request(`/slow?n=${n}`);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

function letGo(): void {
  for (const release of work.release.splice(0)) release();
}

/** The numbers in the answers that arrive, as they do. */
function numbersFrom(socket: Socket, pattern = /\{"n":(\d+)\}/g): number[] {
  const numbers: number[] = [];
  let text = '';
  socket.on('data', (data) => {
    text += data.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(pattern)) {
      numbers.push(Number(match[1]));
      end = match.index + match[0].length;
    }
    text = text.slice(end).slice(-100);
  });
  return numbers;
}
