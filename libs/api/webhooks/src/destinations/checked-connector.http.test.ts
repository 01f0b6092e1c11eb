import { createServer, type Server } from 'node:http';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isIP, type AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { checkedConnector, type Resolve } from './checked-connector.ts';
import { Destinations } from './destinations.ts';

describe('connections to webhook receivers', () => {
  let server: Server;
  let port: number;
  let connections: number;
  let paths: (string | undefined)[];
  const agents: Agent[] = [];

  beforeEach(async () => {
    [connections, paths] = [0, []];
    server = createServer((incoming, answer) => {
      paths.push(incoming.url);
      answer.writeHead(incoming.url === '/inwards' ? 302 : 200, { location: `http://127.0.0.2:${port}/secret` }).end();
    });
    server.on('connection', () => connections++);
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  /** The status of the answer, or why nothing was connected to. */
  async function get(url: string, allow: readonly string[], resolve?: Resolve): Promise<number | string> {
    const connect = checkedConnector(new Destinations(allow), 5_000, resolve);
    const agent = new Agent({ connect, pipelining: 0 });
    agents.push(agent);
    try {
      const { statusCode, body } = await request(url, { dispatcher: agent });
      await body.dump();
      return statusCode;
    } catch (error) {
      return (error as { fault?: string }).fault ?? String(error);
    }
  }

  /** A name server whose answers change with each question. */
  const answering = (...answers: readonly (readonly string[])[]): Resolve & { asked: number } => {
    const resolve = (_: string, callback: Parameters<Resolve>[1]) =>
      callback(
        null,
        (answers[Math.min(resolve.asked++, answers.length - 1)] ?? []).map((address) => ({ address, family: 4 })),
      );
    resolve.asked = 0;
    return resolve;
  };

  it.each([
    ['127.0.0.1', 'loopback'],
    ['2130706433', 'loopback'],
    ['0177.0.0.1', 'loopback'],
    ['0x7f000001', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['127.1', 'loopback'],
    ['[::1]', 'loopback'],
    ['[::ffff:127.0.0.1]', 'loopback'],
    ['[::127.0.0.2]', 'loopback'],
    ['[::ffff:0:127.0.0.1]', 'loopback'],
    ['[64:ff9b::127.0.0.1]', 'loopback'],
    ['[64:ff9b:1::127.0.0.1]', 'reserved'],
    ['[2002:7f00:1::]', 'loopback'],
    ['[2001:0:7f00:1::a247:27dd]', 'loopback'],
    ['[2001:db9::5efe:127.0.0.1]', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['[::]', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['3232235521', 'private'],
    ['169.254.1.1', 'link_local'],
    ['2852039166', 'metadata'],
    ['0251.0376.0251.0376', 'metadata'],
    ['0xa9fea9fe', 'metadata'],
    ['[64:ff9b::a9fe:a9fe]', 'metadata'],
    ['[fd00:ec2::254]', 'metadata'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'reserved'],
    ['localhost', 'not_https'],
  ])('are not opened to %s (%s), nor to a name with this address', async (host, fault) => {
    let dialled = 0;
    const onSocket = () => dialled++;
    subscribe('net.client.socket', onSocket);
    expect(await get(`http://${host}:${port}/`, [])).toBe(fault);
    expect(await get(`https://${host}:${port}/`, [])).toBe(fault === 'not_https' ? 'loopback' : fault);
    unsubscribe('net.client.socket', onSocket);
    expect(dialled).toBe(0);
    const address = new URL(`http://${host}/`).hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0) expect(await get(`https://a.test:${port}/`, [], answering([address]))).toBe(fault);
    expect(connections).toBe(0);
  });

  it('are opened to permitted addresses', async () => {
    expect(await get(`http://127.0.0.1:${port}/`, ['127.0.0.0/8'])).toBe(200);
    expect(await get(`http://localhost:${port}/`, ['localhost'], answering(['127.0.0.1']))).toBe(200);
  });

  it('are not opened when any address of a name is refused', async () => {
    const resolve = answering(['93.184.216.34', '169.254.169.254']);
    expect(await get(`http://a.test:${port}/`, ['a.test'], resolve)).toBe('metadata');
    expect(connections).toBe(0);
  });

  it('use the address that was checked, even if the name has another by now', async () => {
    const resolve = answering(['127.0.0.1'], ['169.254.169.254']);
    expect(await get(`http://a.test:${port}/`, ['a.test'], resolve)).toBe(200);
    expect([resolve.asked, connections]).toEqual([1, 1]);
    expect(await get(`http://a.test:${port}/`, ['a.test'], resolve)).toBe('metadata');
    expect(connections).toBe(1);
  });

  it('do not follow a redirect to an internal address', async () => {
    expect(await get(`http://127.0.0.1:${port}/inwards`, ['127.0.0.1'])).toBe(302);
    expect(paths).toEqual(['/inwards']);
  });
});
