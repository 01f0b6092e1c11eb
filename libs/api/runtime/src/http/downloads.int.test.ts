import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createClock } from '../clock.ts';
import { installDownloads, sendDownload } from './downloads.ts';

/** As many as one process sends at a time. */
const MOST = 8;

let server: FastifyInstance;
let port = 0;
/** What the handler waits for before it answers. */
let admitted: Promise<void>;
let admit: () => void;
let asked = 0;
let chunks: () => AsyncGenerator<string, void>;

beforeEach(async () => {
  admitted = new Promise((resolve) => (admit = resolve));
  asked = 0;
  server = fastify();
  installDownloads(server, { clock: createClock({ type: 'system' }), logger: pino({ level: 'silent' }) });
  server.get('/export', async (request, reply) => {
    asked++;
    await admitted;
    await sendDownload(request, reply, { type: 'text/plain', name: 'export.txt', pieces: chunks() });
    return reply;
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = server.server.address() as AddressInfo);
});

afterEach(async () => {
  server.server.closeAllConnections();
  await server.close();
});

const answer = () => fetch(`http://127.0.0.1:${port}/export`);

async function ask(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /export HTTP/1.1\r\nHost: here\r\n\r\n');
  return socket;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

const connections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

describe('downloads', () => {
  it('do not count clients who left before they began', async () => {
    chunks = async function* () {
      yield 'all';
    };
    const readers = await Promise.all(Array.from({ length: MOST }, ask));
    await until(() => asked === MOST);
    for (const reader of readers) reader.destroy();
    while ((await connections()) > 0) await pause(5);
    admit();
    const { status } = await answer();
    expect(status).toBe(200);
  });

  it('stop the search for the next chunk when the client leaves', async () => {
    let looked = 0;
    let ended = false;
    chunks = async function* () {
      try {
        for (;;) {
          looked++;
          await pause(1);
          yield '';
        }
      } finally {
        ended = true;
      }
    };
    admit();
    const reader = await ask();
    await until(() => looked > 3);
    expect(ended).toBe(false);
    reader.destroy();
    await until(() => ended);
  });

  it('answer with an error as long as no chunk had any content', async () => {
    chunks = async function* () {
      yield '';
      throw new Error('cannot be read');
    };
    admit();
    expect((await answer()).status).toBe(500);
    chunks = async function* () {
      yield '';
      yield 'a';
      yield '';
      yield 'b';
    };
    const { status, text } = await answer().then(async (got) => ({ status: got.status, text: await got.text() }));
    expect([status, text]).toEqual([200, 'ab']);
  });
});
