import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventLoopClock } from '@laurel/testing/clock';
import type { Resolve } from '../destinations/checked-connector.ts';
import { Destinations } from '../destinations/destinations.ts';
import { newSecret } from '../secrets/signing.ts';
import { Sender } from './sender.ts';

describe('a request to an endpoint', () => {
  let server: Server;
  let port: number;
  let paths: (string | undefined)[];
  const senders: Sender[] = [];

  beforeEach(async () => {
    paths = [];
    server = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: `http://127.0.0.1:${port}/inside` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    for (const sender of senders.splice(0)) await sender.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const metadata: Resolve = (_, callback) => callback(null, [{ address: '169.254.169.254', family: 4 }]);

  function send(url: string, allow: readonly string[]) {
    const sender = new Sender(new Destinations(allow), new EventLoopClock(), 8, metadata);
    senders.push(sender);
    const message = { secrets: [newSecret()], trophySignature: false, id: 'a', body: '{}', replay: false };
    return sender.send({ url, ...message });
  }

  it.each([
    ['http://2130706433:PORT/', [], 'leads to 127.0.0.1, which is this machine: it must be in LAUREL_WEBHOOK_ALLOW'],
    ['https://user:word@127.0.0.1:PORT/', ['127.0.0.1'], 'must have no user name and no password'],
    ['https://a.test:PORT/', [], 'leads to a.test (169.254.169.254), which hands out the credentials of a cloud'],
    ['ftp://127.0.0.1:PORT/', ['127.0.0.1'], 'must begin with https://'],
  ])('to %s is refused without contacting the address', async (url, allow, error) => {
    const result = await send(url.replace('PORT', String(port)), allow);
    expect(result).toMatchObject({ status: null, response: null, error, fault: 'its address may not be sent to' });
    expect(paths).toEqual([]);
  });

  it('does not follow a redirect to an internal address', async () => {
    const result = await send(`http://127.0.0.1:${port}/outside`, ['127.0.0.1']);
    expect(result).toMatchObject({ status: 307, error: 'was answered with 307; no redirect is followed' });
    expect(paths).toEqual(['/outside']);
  });
});
