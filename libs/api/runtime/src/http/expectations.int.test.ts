import { once } from 'node:events';
import { connect } from 'node:net';
import { fullScope, hashApiKey } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { createHttpApplication, type HttpApplication } from './application.ts';
import { HttpPort } from './http-port.ts';

const clock = createClock({ type: 'system' });
const logger = createLogger('silent');
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** What comes back for these headers; the body follows when it is asked for. */
async function exchange(url: string, headers: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
    if (answer === CONTINUE) socket.write(body);
    else if (answer.endsWith('}') && !/connection: close/i.test(answer)) socket.end();
  });
  socket.write(['POST /door HTTP/1.1', 'Host: laurel', 'Expect: 100-continue', ...headers, '', ''].join('\r\n'));
  await once(socket, 'close');
  return answer;
}

const JSON_OF = (length: number) => ['Content-Type: application/json', `Content-Length: ${length}`];

describe('a request with Expect: 100-continue', () => {
  let port: HttpPort;
  let http: HttpApplication;
  beforeAll(async () => {
    port = await HttpPort.open({ port: 0, host: '127.0.0.1', clock, logger, limits: { keepAliveSeconds: 5 } });
    expect(await exchange(port.url, JSON_OF(7), '{"a":1}')).toMatch(/^HTTP\/1.1 503 /);
    const good = hashApiKey('good key');
    http = await createHttpApplication({
      modules: [],
      keys: { find: (hash) => (hash === good ? fullScope('acme', 'a-key') : 'unknown') },
      health: new Health(clock),
      logger,
      port,
      install: (fastify) =>
        void fastify.post('/door', { config: { scopes: ['ingest'] } }, async ({ body }) => ({ taken: body })),
    });
    await http.listen(0, '127.0.0.1');
  });
  afterAll(() => http.close());

  it('is asked for its body once key and length are acceptable, and keeps its connection', async () => {
    const answer = await exchange(port.url, ['X-API-KEY: good key', ...JSON_OF(7)], '{"a":1}');
    expect(answer.startsWith(`${CONTINUE}HTTP/1.1 200 OK\r\n`)).toBe(true);
    expect(answer).toMatch(/Keep-Alive: timeout=5\r\n/);
    expect(answer).toMatch(/\{"taken":\{"a":1\}\}$/);
  });

  it.each([
    ['its key', 401, ['X-API-KEY: another', ...JSON_OF(7)]],
    ['its length', 413, ['X-API-KEY: good key', ...JSON_OF(1_000_000)]],
    ['its type', 415, ['X-API-KEY: good key', 'Content-Type: text/plain', 'Content-Length: 7']],
  ])('is refused for %s before it sends the body, and the connection ends', async (_, status, headers) => {
    const answer = await exchange(port.url, headers);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).not.toContain('100 Continue');
  });
});
