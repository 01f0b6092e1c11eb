import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { runCommand } from '../testing/run-command.ts';

describe('the error for an unreachable external database', () => {
  it.each(['digest', 'state', 'rebuild'])('names the database but not its password in `%s`', async (command) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const { exitCode, stdout, stderr } = await runCommand([command], {
      variables: {
        LAUREL_DATABASE_URL: `postgres://ada:secret@127.0.0.1:${port}/game`,
        LAUREL_DATA_DIR: '/nowhere',
      },
    });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      new RegExp(`^laurel: the database at 127\\.0\\.0\\.1:${port}/game cannot be used: .*ECONNREFUSED`),
    );
    expect(stderr).not.toContain('secret');
  });
});
