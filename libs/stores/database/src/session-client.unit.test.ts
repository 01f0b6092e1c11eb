import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { StoreUnavailableError } from '@laurel/kernel';
import { BoundedReads } from './bounded-reads.ts';
import { dataSourceOf } from './database.ts';

const message = (type: string, ...fields: readonly (string | number)[]): Buffer => {
  const parts = fields.map((field) => {
    if (typeof field === 'string') return Buffer.from(field);
    const number = Buffer.alloc(4);
    number.writeInt32BE(field);
    return number;
  });
  const body = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

const ACCEPTED = message('R', 0);
const READY = message('Z', 'I');
const ENDED = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0');

/** A server that ends just as it has let somebody in: all of it arrives at once. */
async function dyingServer(): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([ACCEPTED, READY, ENDED])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('a connection that ends at the moment it is opened', () => {
  let server: Server;
  const connection = () => {
    const { port } = server.address() as AddressInfo;
    return { host: '127.0.0.1', port, user: 'laurel', password: 'secret', database: 'laurel' };
  };
  beforeEach(async () => {
    server = await dyingServer();
  });
  afterEach(() => void server.close());

  it('fails the read that waits for it, without ending the process', async () => {
    const reads = new BoundedReads(connection());
    await expect(reads.query('select 1', [])).rejects.toThrow(StoreUnavailableError);
    await reads.close();
  });

  it('fails the data source that waits for it, without ending the process', async () => {
    await expect(dataSourceOf(connection(), []).initialize()).rejects.toThrow();
  });
});
