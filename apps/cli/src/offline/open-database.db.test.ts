import { writeFile } from 'node:fs/promises';
import { createClock } from '@laurel/runtime';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import type { CommandContext } from '../command-context.ts';
import { memory } from '../testing/run-command.ts';
import { withDatabase } from './open-database.ts';

describe('the error of a command on an external database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase([]);
  });
  afterAll(() => database.close());

  it.each([
    ['a file', () => writeFile('/nowhere/file', ''), 'ENOENT'],
    ['the output', () => Promise.reject(failedWrite('EPIPE')), 'EPIPE'],
    ['a full disk', () => Promise.reject(failedWrite('ENOSPC')), 'ENOSPC'],
  ])('does not blame the database when something else fails: %s', async (_, work, code) => {
    const failure = withDatabase(ofOwnDatabase(urlOf(database)), () => work());
    await expect(failure).rejects.toMatchObject({ code });
    await expect(failure).rejects.toThrow(/^(?!.*the database)/);
  });
});

const urlOf = ({ connection: { user, password, host, port, database } }: TestDatabase): string =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

const failedWrite = (code: string): Error => Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });

const ofOwnDatabase = (url: string): CommandContext => ({
  variables: { LAUREL_DATABASE_URL: url },
  clock: createClock({ type: 'system' }),
  stdout: memory().stream,
  stderr: memory().stream,
  interrupted: new AbortController().signal,
  setExitCode: () => undefined,
});
