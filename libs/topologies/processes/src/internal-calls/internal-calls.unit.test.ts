import { createServer, type AddressInfo, type Server, connect, type Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import type { Clock } from '@laurel/ports';
import { createClock } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { CallError, InternalClients, InternalServer, type CallHandlers } from './index.ts';

const TOKEN = 'a token of enough characters';
const LIMIT_MS = 10_000;
const clock = createClock({ type: 'system' });

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});
const keep = <T extends { close(): unknown }>(one: T): T => {
  opened.push(one);
  return one;
};

const refusedPeers: string[] = [];
const closedBecause: string[] = [];
beforeEach(() => void [refusedPeers, closedBecause].forEach((notified) => notified.splice(0)));

interface ServeFields {
  readonly host?: string;
  readonly port?: number;
  readonly clock?: Clock;
  readonly mostUnderWay?: number;
}

const serve = async (handlers: CallHandlers, fields: ServeFields = {}) =>
  keep(
    await InternalServer.listen({
      host: '127.0.0.1',
      port: 0,
      token: TOKEN,
      clock,
      handlers,
      onRefused: (peer) => refusedPeers.push(peer),
      onClosed: (peer, why) => closedBecause.push(`${peer}: ${why}`),
      ...fields,
    }),
  );
const clientsWith = (token = TOKEN, mostUnderWay?: number) => keep(new InternalClients({ token, clock, mostUnderWay }));
const addressOf = ({ port }: { readonly port: number }) => `127.0.0.1:${port}`;

const echo = (payload: unknown): Promise<unknown> => Promise.resolve(payload);
const ECHO: CallHandlers = new Map([['echo', echo]]);
const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof CallError ? error.failure : `no CallError: ${String(error)}`),
  );

/** A handler that answers when it is told to. */
function gate() {
  const waiting: (() => void)[] = [];
  const handler = (payload: unknown) => new Promise((resolve) => waiting.push(() => resolve(payload)));
  return { handler, open: () => waiting.splice(0).forEach((answer) => answer()), waiting };
}

/** Waits for a condition. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('an internal call', () => {
  it('transfers payload and answer exactly, including bigints and maps', async () => {
    const server = await serve(ECHO);
    const payload = { big: 2n ** 80n, map: new Map([['__proto__', [1n]]]), text: 'é#\u{1F600}"\\\u0000', none: null };
    expect(await clientsWith().call(addressOf(server), 'echo', payload, LIMIT_MS)).toEqual(payload);
  });

  it('is answered independently of others on the same connection', async () => {
    const slow = gate();
    const server = await serve(new Map([...ECHO, ['slow', slow.handler]]));
    const clients = clientsWith();
    const late = clients.call(addressOf(server), 'slow', 'late', LIMIT_MS);
    await until(() => slow.waiting.length === 1);
    const numbers = [...Array(200).keys()];
    const answers = await Promise.all(numbers.map((n) => clients.call(addressOf(server), 'echo', n, LIMIT_MS)));
    expect(answers).toEqual(numbers);
    slow.open();
    expect(await late).toBe('late');
  });

  it('transfers an answer about a thousand events with all of their effects', async () => {
    const awards = [...Array(20).keys()].map((n) => ({ id: `award-${n}`, awarded: BigInt(n), system: 'a "system"' }));
    const events = [...Array(1_000).keys()].map((n) => ({ eventId: `event-${n}`, awards }));
    const server = await serve(new Map([['events', () => Promise.resolve(events)]]));
    expect(await clientsWith().call(addressOf(server), 'events', [], LIMIT_MS)).toEqual(events);
  });

  it('reports why its handler failed, and the next call is answered', async () => {
    const server = await serve(new Map([...ECHO, ['fail', () => Promise.reject(new Error('no such thing'))]]));
    const clients = clientsWith();
    const failed = clients.call(addressOf(server), 'fail', {}, LIMIT_MS);
    await expect(failed).rejects.toMatchObject({ failure: 'failed', message: 'no such thing' });
    expect(await clients.call(addressOf(server), 'echo', 1, LIMIT_MS)).toBe(1);
  });

  it('is answered with null when its handler returns nothing', async () => {
    const server = await serve(new Map([['nothing', () => Promise.resolve(undefined)]]));
    expect(await clientsWith().call(addressOf(server), 'nothing', null, LIMIT_MS)).toBeNull();
  });

  it('fails when the peer does not know it', async () => {
    const server = await serve(ECHO);
    expect(await failureOf(clientsWith().call(addressOf(server), 'other', {}, LIMIT_MS))).toBe('failed');
  });

  it('fails with a payload or an answer that is too long, and keeps the connection', async () => {
    const server = await serve(new Map([...ECHO, ['long', () => Promise.resolve('x'.repeat(65 * 1024 * 1024))]]));
    const clients = clientsWith();
    const slowly = clients.call(addressOf(server), 'echo', 1, LIMIT_MS);
    expect(await failureOf(clients.call(addressOf(server), 'long', {}, LIMIT_MS))).toBe('failed');
    expect(await failureOf(clients.call(addressOf(server), 'echo', 'x'.repeat(5_000_000), LIMIT_MS))).toBe('failed');
    expect(await slowly).toBe(1);
  });

  it('is refused beyond the limit of running calls, locally and by the peer', async () => {
    const slow = gate();
    const server = await serve(new Map([['slow', slow.handler]]), { mostUnderWay: 2 });
    const [here, there] = [clientsWith(TOKEN, 1), clientsWith()];
    const call = (clients: InternalClients) => clients.call(addressOf(server), 'slow', 'done', LIMIT_MS);
    const first = call(here);
    expect(await failureOf(call(here))).toBe('overloaded');
    const second = call(there);
    await until(() => slow.waiting.length === 2);
    expect(await failureOf(call(there))).toBe('overloaded');
    slow.open();
    expect(await Promise.all([first, second])).toEqual(['done', 'done']);
    const third = call(here);
    await until(() => slow.waiting.length === 1);
    slow.open();
    expect(await third).toBe('done');
  });
});

describe('the internal token', () => {
  it('is checked before anything else, so no handler runs without it', async () => {
    let ran = false;
    const server = await serve(new Map([['run', async () => (ran = true)]]));
    for (const token of ['', 'wrong', `${TOKEN} `, TOKEN.slice(0, -1)]) {
      expect(await failureOf(clientsWith(token).call(addressOf(server), 'run', {}, LIMIT_MS))).toBe('refused');
      expect(await failureOf(clientsWith(token).call(addressOf(server), 'other', {}, LIMIT_MS))).toBe('refused');
    }
    expect(ran).toBe(false);
    expect(refusedPeers).toEqual(['127.0.0.1']);
  });

  it('is checked in every message, whatever its form', async () => {
    let ran = 0;
    const server = await serve(new Map([['run', async () => ran++]]));
    const token = { $map: [] };
    for (const message of [
      { pattern: 'run', data: '{}', id: '1' },
      { pattern: 'run', data: '{}' },
      { pattern: 'run', data: '{}', id: { id: 1 }, metadata: { token } },
      { pattern: 'run', data: '{}', id: '1', metadata: null },
      { pattern: 'run', data: '{}', id: '1', metadata: TOKEN },
      { pattern: 'run', data: { token: TOKEN }, id: '1', metadata: [TOKEN] },
      'text',
      7,
      [],
    ]) {
      const socket = await connected(server.port);
      socket.write(frame(message));
      await ended(socket);
    }
    expect(ran).toBe(0);
    expect(refusedPeers).toEqual(['127.0.0.1']);
  });

  it('never gets into a log, nor do payloads, and unreadable input does not fill the log', async () => {
    const written: string[] = [];
    const note = (...said: unknown[]) => void written.push(said.map(String).join(' '));
    for (const method of ['error', 'warn', 'log', 'debug', 'verbose', 'fatal'] as const)
      jest.spyOn(Logger.prototype, method).mockImplementation(note);
    try {
      const server = await serve(new Map([['fail', () => Promise.reject(new Error('secret payload'))]]));
      await failureOf(clientsWith().call(addressOf(server), 'fail', 'secret payload', LIMIT_MS));
      await failureOf(clientsWith('secret token').call(addressOf(server), 'fail', 'secret payload', LIMIT_MS));
      for (const text of ['16#{"secret payload"', '14#secret payload', 'secret payload#']) {
        const socket = await connected(server.port);
        socket.write(text);
        socket.end();
        await ended(socket);
      }
      const gibberish = await garbling('14#secret payload');
      await failureOf(clientsWith().call(addressOf(gibberish), 'any', 'secret payload', LIMIT_MS));
    } finally {
      jest.restoreAllMocks();
    }
    expect(written).toEqual([]);
  });
});

describe('a peer', () => {
  it('that does not listen is unreachable and does not affect calls to others', async () => {
    const server = await serve(ECHO);
    const gone = await serve(ECHO);
    const address = addressOf(gone);
    await gone.close();
    const clients = clientsWith();
    const [lost, answer] = await Promise.all([
      failureOf(clients.call(address, 'echo', 1, LIMIT_MS)),
      clients.call(addressOf(server), 'echo', 2, LIMIT_MS),
    ]);
    expect([lost, answer]).toEqual(['unreachable', 2]);
    for (const wrong of ['', 'nowhere', '127.0.0.1:', '127.0.0.1:0', ':7000', '127.0.0.1:70000'])
      expect(await failureOf(clients.call(wrong, 'echo', 1, LIMIT_MS))).toBe('unreachable');
  });

  it('that ends fails its running calls and is found again when it is back', async () => {
    const slow = gate();
    const server = await serve(new Map([['slow', slow.handler]]));
    const { port } = server;
    const clients = clientsWith();
    const calls = [1, 2].map((n) => failureOf(clients.call(addressOf({ port }), 'slow', n, LIMIT_MS)));
    await until(() => slow.waiting.length === 2);
    await server.close();
    expect(await Promise.all(calls)).toEqual(['unreachable', 'unreachable']);
    expect(await failureOf(clients.call(addressOf({ port }), 'echo', 1, LIMIT_MS))).toBe('unreachable');
    await serve(ECHO, { port });
    expect(await clients.call(addressOf({ port }), 'echo', 1, LIMIT_MS)).toBe(1);
  });

  it('that is silent fails a call at its limit, and the next call uses another connection', async () => {
    const silent = await accepting();
    const clients = clientsWith();
    expect(await failureOf(clients.call(addressOf(silent), 'echo', 1, 30))).toBe('timed out');
    expect(await failureOf(clients.call(addressOf(silent), 'echo', 1, 30))).toBe('timed out');
    await until(() => silent.connections === 2 && silent.open === 0);
  });

  it('that is silent is disconnected when nobody waits for it any more', async () => {
    const silent = await accepting();
    const clients = clientsWith();
    const calls = [20, 60].map((limitMs) => failureOf(clients.call(addressOf(silent), 'echo', 1, limitMs)));
    expect(await Promise.all(calls)).toEqual(['timed out', 'timed out']);
    await until(() => silent.open === 0);
    expect(silent.connections).toBe(1);
  });

  it('that answers other calls keeps its connection when one call takes too long', async () => {
    const slow = gate();
    const server = await serve(new Map([...ECHO, ['slow', slow.handler]]));
    const clients = clientsWith();
    const patient = clients.call(addressOf(server), 'slow', 'late', LIMIT_MS);
    const hasty = failureOf(clients.call(addressOf(server), 'slow', 'never', 100));
    await until(() => slow.waiting.length === 2);
    expect(await clients.call(addressOf(server), 'echo', 1, LIMIT_MS)).toBe(1);
    expect(await hasty).toBe('timed out');
    slow.open();
    expect(await patient).toBe('late');
  });

  it('that went silent is abandoned without harm to callers that still wait', async () => {
    const slow = gate();
    const server = await serve(new Map([['slow', slow.handler]]));
    const clients = clientsWith();
    const patient = clients.call(addressOf(server), 'slow', 'late', LIMIT_MS);
    await until(() => slow.waiting.length === 1);
    expect(await failureOf(clients.call(addressOf(server), 'slow', 'never', 20))).toBe('timed out');
    const over = clients.call(addressOf(server), 'slow', 'another connection', LIMIT_MS);
    await until(() => slow.waiting.length === 3);
    slow.open();
    expect(await Promise.all([patient, over])).toEqual(['late', 'another connection']);
  });

  it('is reported as unreachable to running calls when this process closes', async () => {
    const silent = await accepting();
    const clients = clientsWith();
    const calls = [1, 2].map((n) => failureOf(clients.call(addressOf(silent), 'echo', n, LIMIT_MS)));
    await until(() => silent.connections === 1);
    clients.close();
    expect(await Promise.all(calls)).toEqual(['unreachable', 'unreachable']);
  });
});

describe('the internal server', () => {
  it('reports an address on which it cannot listen', async () => {
    const { port } = await serve(ECHO);
    await expect(serve(ECHO, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(serve(ECHO, { host: '192.0.2.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
  });

  it('answers a caller beside any number of silent connections', async () => {
    // A crowd may take longer to connect than it has for its token, where the system makes it wait.
    const server = await serve(ECHO, { clock: new ManualClock() });
    const clients = clientsWith();
    expect(await clients.call(addressOf(server), 'echo', 'before', LIMIT_MS)).toBe('before');
    // In waves that the system accepts: of a larger one it drops some, which then believe that they are connected.
    const crowd: Socket[] = [];
    while (crowd.length < 1_100) crowd.push(...(await silentConnections(server.port, 100)));
    const [early, ...late] = [clients, clientsWith(), clientsWith()];
    expect(await early.call(addressOf(server), 'echo', 'known', LIMIT_MS)).toBe('known');
    const answers = late.map((one) => one.call(addressOf(server), 'echo', 'new', LIMIT_MS));
    const joined = silentConnections(server.port, 100);
    expect(await Promise.all(answers)).toEqual(['new', 'new']);
    await joined;
    await until(() => closedBecause.length === 1_200 - 1_024);
    expect(new Set(closedBecause)).toEqual(new Set(['127.0.0.1: more than 1024 connections without a token']));
    expect(crowd.slice(0, 100).every(({ destroyed, readyState }) => destroyed || readyState !== 'open')).toBe(true);
  });

  it('closes a connection that sends no token in time, and keeps one that has sent it', async () => {
    const time = new ManualClock();
    const server = await serve(ECHO, { clock: time });
    const clients = clientsWith();
    expect(await clients.call(addressOf(server), 'echo', 1, LIMIT_MS)).toBe(1);
    const [silent, slow] = [await connected(server.port), await connected(server.port)];
    slow.write('1000#{');
    await until(() => time.timers === 2);
    const gone = [ended(silent), ended(slow)];
    await time.advance(10_000);
    await Promise.all(gone);
    expect(closedBecause).toEqual(Array(2).fill('127.0.0.1: no token within 10 s'));
    expect(await clients.call(addressOf(server), 'echo', 2, LIMIT_MS)).toBe(2);
    expect(time.timers).toBe(0);
  });

  it('closes the connection without a token that sends the most, and answers the others', async () => {
    const server = await serve(ECHO);
    const chunk = 'x'.repeat(1024 * 1024);
    const crowd = await silentConnections(server.port, 20);
    for (const socket of crowd) {
      socket.write('8000000#');
      for (let sent = 0; sent < 5; sent++) socket.write(chunk);
    }
    await until(() => closedBecause.length > 0);
    expect(closedBecause[0]).toBe('127.0.0.1: more than 67108864 bytes without a token');
    expect(await clientsWith().call(addressOf(server), 'echo', 1, LIMIT_MS)).toBe(1);
  });

  it('closes a connection whose message never ends', async () => {
    const server = await serve(ECHO);
    const socket = await connected(server.port);
    const chunk = 'x'.repeat(1024 * 1024);
    socket.write(`${2 ** 30}#`);
    for (let sent = 0; sent < 16 && !socket.destroyed; sent++) socket.write(chunk);
    await ended(socket);
  });
});

const frame = (message: unknown): string => {
  const text = JSON.stringify(message);
  return `${text.length}#${text}`;
};

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
  });

const silentConnections = async (port: number, count: number): Promise<readonly Socket[]> => {
  const sockets = await Promise.all(Array.from({ length: count }, () => connected(port)));
  for (const socket of sockets) {
    socket.resume();
    keep({ close: () => socket.destroy() });
  }
  return sockets;
};

/** When the other side has closed the connection. */
const ended = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });

/** Accepts connections and says nothing. */
const accepting = () => listening(() => undefined);

/** Answers whatever it is told with the same text. */
const garbling = (text: string) => listening((socket) => socket.once('data', () => socket.write(text)));

async function listening(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume();
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return keep({
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  });
}
