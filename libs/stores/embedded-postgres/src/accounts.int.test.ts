import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { inspectEmbeddedPostgres, pickDataDir, startEmbeddedPostgres } from './index.ts';
import { isReachable } from './reachability.ts';
import type { ServerAccount } from './run-program.ts';
import { readAccounts } from './server-account.ts';
import { startServerInChild } from './test-support/child-server.ts';
import { newDataDir, removeDataDirs } from './test-support/data-dirs.ts';
import { query } from './test-support/query.ts';

const asRoot = process.geteuid?.() === 0 ? describe : describe.skip;
const nobody = async (): Promise<ServerAccount> =>
  readAccounts(await readFile('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody') as ServerAccount;
/** A checkout below the home folder of root cannot be run by anybody else. */
const asRootInOpenCheckout =
  process.geteuid?.() === 0 && (await isReachable(new URL('.', import.meta.url).pathname, await nobody()))
    ? describe
    : describe.skip;
/** A free id that the system does not list. */
const UNLISTED = 987_654;

afterAll(removeDataDirs);

asRoot('as root', () => {
  it('the server runs under another account, which cannot write beside its own folders', async () => {
    const dataDir = await newDataDir();
    const server = await startEmbeddedPostgres({ dataDir, unsafeForTests: true });
    const { uid } = await stat(join(dataDir, 'postgres'));
    expect(uid).not.toBe(0);
    expect((await stat(`/proc/${server.pid}`)).uid).toBe(uid);
    expect((await stat(dataDir)).uid).toBe(0);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o710);
    await server.stop();
  });

  it('the server keeps running under the owner of existing data, even one that the system no longer lists', async () => {
    const dataDir = await newDataDir();
    await (await startEmbeddedPostgres({ dataDir })).stop();
    execFileSync('chown', ['-R', `${UNLISTED}:${UNLISTED}`, join(dataDir, 'postgres')]);
    await chmod(dataDir, 0o711);
    const server = await startEmbeddedPostgres({ dataDir });
    expect((await stat(`/proc/${server.pid}`)).uid).toBe(UNLISTED);
    expect(await query(server.connection, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await server.stop();
  });

  it('a data folder that the account cannot reach is refused with the obstacle and a remedy', async () => {
    const barrier = dirname(await newDataDir());
    await chmod(barrier, 0o700);
    const dataDir = join(barrier, 'deep', 'data');
    const start = startEmbeddedPostgres({ dataDir });
    await expect(start).rejects.toBeInstanceOf(EmbeddedPostgresError);
    await expect(start).rejects.toThrow(`cannot pass ${barrier}. Set LAUREL_DATA_DIR`);
    expect(await stat(join(barrier, 'deep')).catch(() => 'untouched')).toBe('untouched');
  });

  it('an unreachable default folder is replaced by one that the account can reach', async () => {
    const barrier = dirname(await newDataDir());
    await chmod(barrier, 0o700);
    const [unreachable, reachable] = [join(barrier, 'data'), await newDataDir()];
    expect(await pickDataDir(unreachable, reachable)).toBe(reachable);
    expect(await pickDataDir(reachable, unreachable)).toBe(reachable);
    await expect(pickDataDir(unreachable)).rejects.toThrow(barrier);
  });
});

asRootInOpenCheckout('as a normal user', () => {
  it('the server runs under that user in a private folder, and finds its data after a restart', async () => {
    const account = await nobody();
    const dataDir = await newDataDir();
    await chown(dirname(dataDir), account.uid, account.gid);
    const first = await startServerInChild(dataDir, account);
    expect((await stat(`/proc/${first.serverPid}`)).uid).toBe(account.uid);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    await query(first.connection, 'create table kept as select 7 as n');
    await expect(startServerInChild(dataDir, account)).rejects.toThrow(`in use by process ${first.pid}`);
    await first.kill();
    const second = await startServerInChild(dataDir, account);
    expect(await query(second.connection, 'select n from kept')).toEqual([{ n: 7 }]);
    await second.stop();
    expect(await inspectEmbeddedPostgres(dataDir)).toEqual({ state: 'stopped' });
  });

  it('data of another user is refused with both user ids', async () => {
    const account = await nobody();
    const dataDir = await newDataDir();
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await chown(dataDir, account.uid, account.gid);
    await expect(startServerInChild(dataDir, account)).rejects.toThrow(
      `belongs to user id 0, but this process runs as user id ${account.uid}`,
    );
  });

  it('a data folder that belongs to root is refused with a remedy', async () => {
    const account = await nobody();
    const dataDir = await newDataDir();
    await (await startEmbeddedPostgres({ dataDir })).stop();
    await expect(startServerInChild(dataDir, account)).rejects.toThrow(
      new RegExp(`${dataDir} cannot be used by user id ${account.uid}.*EACCES.*LAUREL_DATA_DIR`),
    );
    const unborn = join(dirname(dataDir), 'unborn');
    await expect(startServerInChild(unborn, account)).rejects.toThrow(`${unborn} cannot be used by user id`);
  });

  it('a user id without an entry in /etc/passwd is refused before initdb runs', async () => {
    const dataDir = await newDataDir();
    await chown(dirname(dataDir), UNLISTED, UNLISTED);
    await expect(startServerInChild(dataDir, { uid: UNLISTED })).rejects.toThrow(
      `User id ${UNLISTED} has no entry in /etc/passwd`,
    );
  });

  it('two starts exclude each other even without flock(1) and without a shell for the guard', async () => {
    const account = await nobody();
    const dataDir = await newDataDir();
    await chown(dirname(dataDir), account.uid, account.gid);
    const empty = join(dirname(dataDir), 'empty');
    await mkdir(empty);
    const first = await startServerInChild(dataDir, { ...account, path: empty });
    expect(first.guardPid).toBeUndefined();
    await expect(startServerInChild(dataDir, { ...account, path: empty })).rejects.toThrow(
      `in use by process ${first.pid}`,
    );
    await first.kill();
    const second = await startServerInChild(dataDir, { ...account, path: empty });
    expect(await query(second.connection, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await second.stop();
  });
});
