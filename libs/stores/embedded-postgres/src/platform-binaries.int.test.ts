import { chmod, chown, cp, lstat, mkdir, readFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findPlatformPackage, hydrate, prepareBinaries, type PlatformPackage } from './platform-binaries.ts';
import { isReachable } from './reachability.ts';
import { runProgram, type ServerAccount } from './run-program.ts';
import { readAccounts } from './server-account.ts';
import { newDataDir, removeDataDirs } from './test-support/data-dirs.ts';

const isRoot = process.geteuid?.() === 0;
const linksIn = async (native: string): Promise<string[]> =>
  (await readdir(join(native, 'lib'), { withFileTypes: true }))
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => entry.name);

/** The package as npm unpacks it when install scripts are forbidden: without its links. */
async function unhydratedPackage(): Promise<PlatformPackage> {
  const installed = await findPlatformPackage();
  const native = join(await newDataDir(), 'package', 'native');
  await cp(installed.native, native, { recursive: true, verbatimSymlinks: true });
  for (const name of await linksIn(native)) await rm(join(native, 'lib', name));
  return { native, label: installed.label };
}

const versionOf = async (program: string, account: ServerAccount | null): Promise<string> =>
  (await runProgram(program, ['--version'], { account })).output.trim();

async function nobody(): Promise<ServerAccount> {
  const accounts = readAccounts(await readFile('/etc/passwd', 'utf8'));
  return accounts.find(({ name }) => name === 'nobody') as ServerAccount;
}

/** In this process: one of its own could not read the sources of a checkout that only root can pass. */
async function asAccount<T>({ uid, gid }: ServerAccount, work: () => Promise<T>): Promise<T> {
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

afterAll(removeDataDirs);

describe('the binaries of a package installed without its links', () => {
  it('are usable after several processes have made the links at once', async () => {
    const from = await unhydratedPackage();
    const done = await Promise.all(Array.from({ length: 8 }, () => hydrate(from.native)));
    expect(done).toEqual(Array.from({ length: 8 }, () => true));
    const expected = JSON.parse(await readFile(join(from.native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    expect((await linksIn(from.native)).length).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(5);
    const { postgres } = await prepareBinaries(from, null, join(await newDataDir(), 'copy'));
    expect(dirname(dirname(postgres))).toBe(from.native);
    expect(await versionOf(postgres, null)).toMatch(/^postgres \(PostgreSQL\) 18\./);
  });

  it('keep links that already exist', async () => {
    const from = await unhydratedPackage();
    await hydrate(from.native);
    const before = await readlink(join(from.native, 'lib', 'libpq.so.5'));
    expect(await hydrate(from.native)).toBe(true);
    expect(await readlink(join(from.native, 'lib', 'libpq.so.5'))).toBe(before);
  });

  (isRoot ? it : it.skip)('are copied if the package cannot be written', async () => {
    const from = await unhydratedPackage();
    const account = await nobody();
    const dataDir = await newDataDir();
    await mkdir(dataDir);
    await chown(dataDir, account.uid, account.gid);
    const copies = join(dataDir, 'binaries');
    const prepare = () => prepareBinaries(from, null, copies);
    const [{ postgres }, { postgres: again }] = await asAccount(account, async () => [
      await prepare(),
      await prepare(),
    ]);
    expect(postgres).toBe(join(copies, from.label, 'bin', 'postgres'));
    expect(again).toBe(postgres);
    expect(await linksIn(from.native)).toEqual([]);
    expect(await versionOf(postgres, account)).toMatch(/^postgres \(PostgreSQL\) 18\./);
    expect(await readdir(copies)).toEqual([from.label]);
  });
});

(isRoot ? describe : describe.skip)('as root, binaries that the account of the server cannot reach', () => {
  it('are copied to where it can, and copies of other versions are removed', async () => {
    const from = await unhydratedPackage();
    const account = await nobody();
    await chmod(dirname(from.native), 0o700);
    for (const path of [from.native, join(from.native, 'bin'), join(from.native, 'bin', 'postgres')])
      await chmod(path, 0o700);
    expect(await isReachable(join(from.native, 'bin', 'postgres'), account)).toBe(false);
    const copies = await newDataDir();
    await mkdir(join(copies, 'linux-x64-17.0.0'), { recursive: true });
    const { postgres } = await prepareBinaries(from, account, copies);
    expect(await versionOf(postgres, account)).toMatch(/^postgres \(PostgreSQL\) 18\./);
    expect(await readdir(copies)).toEqual([from.label]);
    expect((await lstat(copies)).uid).toBe(0);
    expect((await lstat(copies)).mode & 0o022).toBe(0);
  });
});

(isRoot ? describe : describe.skip)(
  'binaries that the account cannot reach, for a data folder whose path initdb cannot handle',
  () => {
    it('are copied to the temporary folder, and removed with the start or by the next one', async () => {
      const from = await unhydratedPackage();
      const account = await nobody();
      await chmod(dirname(from.native), 0o700);
      const dataDir = join(await newDataDir(), 'a "b" $c');
      await mkdir(dataDir, { recursive: true });
      const killed = await prepareBinaries(from, account, join(dataDir, 'binaries'));
      const { initdb, discard } = await prepareBinaries(from, account, join(dataDir, 'binaries'));
      expect(relative(tmpdir(), dirname(initdb))).toMatch(/^laurel-binaries-\w+\/binaries\//);
      await expect(lstat(killed.initdb)).rejects.toMatchObject({ code: 'ENOENT' });
      const pgData = await newDataDir();
      await mkdir(pgData);
      await chown(pgData, account.uid, account.gid);
      expect(await runProgram(initdb, ['-D', pgData, '-N'], { account })).toMatchObject({ code: 0 });
      await discard();
      await expect(lstat(initdb)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('are all that the next start removes, whatever folder is recorded', async () => {
      const from = await unhydratedPackage();
      const account = await nobody();
      await chmod(dirname(from.native), 0o700);
      const dataDir = join(await newDataDir(), 'a $b');
      const other = join(dataDir, 'other');
      await mkdir(other, { recursive: true });
      await writeFile(join(dataDir, 'binaries-folder'), other);
      const { discard } = await prepareBinaries(from, account, join(dataDir, 'binaries'));
      await discard();
      expect((await lstat(other)).isDirectory()).toBe(true);
    });
  },
);

describe('a platform without binaries', () => {
  it('is refused with the setting to use instead', async () => {
    await expect(findPlatformPackage('win32', 'x64')).rejects.toThrow(/Windows.*LAUREL_DATABASE_URL/);
    await expect(findPlatformPackage('linux', 's390x')).rejects.toThrow(/linux-s390x.*LAUREL_DATABASE_URL/);
    await expect(findPlatformPackage('linux', 's390x')).rejects.toBeInstanceOf(EmbeddedPostgresError);
  });
});
