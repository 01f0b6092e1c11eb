import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

describe('the TCP proxy', () => {
  let server: Server;
  let proxy: TcpProxy;
  let received: string;
  const clients: Socket[] = [];

  beforeEach(async () => {
    received = '';
    server = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          received += String(data);
          socket.write(data);
        }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    proxy = await openTcpProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
  });

  /** A connection, and what has come back on it. */
  const open = async (): Promise<{ socket: Socket; echo: () => string; isClosed: () => boolean }> => {
    let [echo, isClosed] = ['', false];
    const socket = connect(proxy.port, '127.0.0.1');
    clients.push(socket);
    socket
      .on('data', (data) => (echo += String(data)))
      .on('error', () => undefined)
      .on('close', () => (isClosed = true));
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    return { socket, echo: () => echo, isClosed: () => isClosed };
  };

  it('passes on all data in order, and then the end of the connection', async () => {
    const { socket, echo, isClosed } = await open();
    const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n} ${'x'.repeat(n % 500)}\n`);
    for (const line of lines) socket.write(line);
    socket.end();
    await until(isClosed);
    expect(echo()).toBe(lines.join(''));
  });

  it('cuts all connections and refuses new ones while it has no target', async () => {
    const { socket, echo, isClosed } = await open();
    socket.write('before');
    await until(() => echo() === 'before');
    const { target } = proxy;
    proxy.target = null;
    proxy.cut();
    await until(isClosed);
    const refused = await open();
    await until(refused.isClosed);
    proxy.target = target;
    const again = await open();
    again.socket.write('after');
    await until(() => again.echo() === 'after');
  });

  it('passes on nothing while it is frozen, not even the end of a connection, and everything afterwards', async () => {
    const [one, other] = [await open(), await open()];
    proxy.frozen = true;
    one.socket.write('1');
    other.socket.write('2');
    other.socket.destroy();
    const late = await open();
    late.socket.write('3');
    // Whatever does come through needs no longer than this connection beside it.
    await roundTrips(server, 20);
    expect([received, one.echo(), late.echo()]).toEqual(['', '', '']);
    proxy.frozen = false;
    await until(() => one.echo() === '1' && late.echo() === '3');
    expect([...received].sort()).toEqual(['1', '2', '3']);
  });

  it('delays data in both directions, and keeps its order when the delay ends', async () => {
    const { socket, echo } = await open();
    proxy.delayMs = 100;
    const since = performance.now();
    socket.write('slow ');
    await until(() => received !== '');
    expect(performance.now() - since).toBeGreaterThanOrEqual(99);
    proxy.delayMs = 0;
    socket.write('fast');
    await until(() => echo() === 'slow fast');
  });

  it('holds back the answers of the one connection whose data matches', async () => {
    const [held, other] = [await open(), await open()];
    let isFound = false;
    void proxy.holdAnswers((data) => data.includes('join'), 300).then(() => (isFound = true));
    other.socket.write('hello');
    await until(() => other.echo() === 'hello');
    expect(isFound).toBe(false);
    const since = performance.now();
    held.socket.write('join');
    await until(() => received === 'hellojoin');
    expect(isFound).toBe(true);
    other.socket.write('!');
    await until(() => other.echo() === 'hello!');
    expect(held.echo()).toBe('');
    await until(() => held.echo() === 'join');
    expect(performance.now() - since).toBeGreaterThanOrEqual(299);
    held.socket.write(' again');
    await until(() => held.echo() === 'join again');
  });
});

/** As often to the server and back, past the proxy. */
async function roundTrips(server: Server, count: number): Promise<void> {
  const connections = Array.from({ length: count }, async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
  });
  await Promise.all(connections);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
