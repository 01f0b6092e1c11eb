import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { batchingSocket } from './batching-socket.ts';

const BOUNDS = { maxBufferSize: 10_000, maxSendBufferSize: 100_000 };

async function connected() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  const received: unknown[] = [];
  new (batchingSocket(BOUNDS))(far).on('message', (message) => received.push(message));
  const close = async () => {
    near.destroy();
    far.destroy();
    server.close();
    await once(server, 'close');
  };
  return { near, far, received, sender: new (batchingSocket(BOUNDS))(near), close };
}

describe('the socket of internal calls', () => {
  it('sends the messages of one turn of the event loop together and in order', async () => {
    const { near, far, received, sender, close } = await connected();
    const corks = jest.spyOn(near, 'cork');
    for (let number = 0; number < 20; number++) sender.sendMessage({ number });
    // As the answers of a batch: each behind promises of its own.
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await Promise.resolve();
        sender.sendMessage({ number: 20 + index });
      }),
    );
    expect(near.bytesWritten).toBeGreaterThan(0);
    expect(corks).toHaveBeenCalledTimes(1);
    while (received.length < 40) await once(far, 'data');
    expect(received).toEqual(Array.from({ length: 40 }, (_, number) => ({ number })));
    await close();
  });

  it('refuses a message above its limit', async () => {
    const { near, sender, close } = await connected();
    const refused = once(near, 'error').then(
      ([error]) => String(error),
      (error: unknown) => String(error),
    );
    sender.sendMessage({ text: 'x'.repeat(200_000) });
    expect(await refused).toMatch(/200\d\d\d/);
    await close();
  });
});
