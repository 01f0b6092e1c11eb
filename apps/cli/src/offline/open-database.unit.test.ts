import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { createClock } from '@laurel/runtime';
import type { CommandContext } from '../command-context.ts';
import { memory, runCommand } from '../testing/run-command.ts';
import { withDatabase } from './open-database.ts';

describe('a database of the operator’s own, while no service runs', () => {
  it.each(['digest', 'state', 'rebuild'])(
    'is named when `%s` is not let in, and its password is not',
    async (command) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      const { exitCode, stdout, stderr } = await runCommand([command], {
        variables: {
          LAUREL_DATABASE_URL: `postgres://ada:secret@127.0.0.1:${port}/game`,
          LAUREL_DATA_DIR: '/nowhere',
          LAUREL_CONFIG: 'laurel.yaml',
        },
      });
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        new RegExp(`^laurel: the database at 127\\.0\\.0\\.1:${port}/game cannot be used: .*ECONNREFUSED`),
      );
      expect(stderr).not.toContain('secret');
    },
  );

  it.each([
    ['a file', () => writeFile('/nowhere/file', ''), 'ENOENT'],
    ['the output', () => Promise.reject(failedWrite('EPIPE')), 'EPIPE'],
    ['a full disk', () => Promise.reject(failedWrite('ENOSPC')), 'ENOSPC'],
  ])('is not blamed when the work with it fails: %s', async (_, work, code) => {
    const failure = withDatabase(ofOwnDatabase(), () => work());
    await expect(failure).rejects.toMatchObject({ code });
    await expect(failure).rejects.toThrow(/^(?!.*the database)/);
  });
});

const failedWrite = (code: string): Error => Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });

const ofOwnDatabase = (): CommandContext => ({
  variables: { LAUREL_DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/game' },
  clock: createClock({ type: 'system' }),
  stdout: memory().stream,
  stderr: memory().stream,
  interrupted: new AbortController().signal,
  setExitCode: () => undefined,
});
