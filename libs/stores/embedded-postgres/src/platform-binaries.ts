import { chmod, cp, lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError, isErrno } from './embedded-postgres-error.ts';
import { isReachable } from './reachability.ts';
import type { ServerAccount } from './run-program.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Removes a copy that was made for this start alone. */
  discard(): Promise<void>;
}

/** The installed package for one platform: its `native` folder holds bin, lib and share. */
export interface PlatformPackage {
  readonly native: string;
  /** Platform and version. It names the copy, so that an upgrade makes a new one. */
  readonly label: string;
}

const OWN_DATABASE = 'Set LAUREL_DATABASE_URL to use a Postgres server of your own instead.';

/** @throws EmbeddedPostgresError if there is no server for this platform, or its package is not installed. */
export async function findPlatformPackage(
  platform: string = process.platform,
  architecture: string = process.arch,
): Promise<PlatformPackage> {
  if (platform === 'win32') {
    throw new EmbeddedPostgresError(`The embedded database does not run on Windows. ${OWN_DATABASE}`);
  }
  const name = `@embedded-postgres/${platform}-${architecture}`;
  const folder = resolvePackage(name);
  if (folder === null) {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed: there is no embedded database for this platform, ` +
        `or optional packages were left out at installation. ${OWN_DATABASE}`,
    );
  }
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { native: join(folder, 'native'), label: `${platform}-${architecture}-${manifest.version}` };
}

function resolvePackage(name: string): string | null {
  const here = createRequire(import.meta.url);
  try {
    // The platform's package is a dependency of `embedded-postgres`, which need not hoist it.
    const wrapper = createRequire(here.resolve('embedded-postgres'));
    return dirname(dirname(wrapper.resolve(name)));
  } catch {
    return null;
  }
}

/**
 * Returns binaries that `account` can execute: the installed ones, if the account reaches them and their library links can be created there;
 * otherwise a copy below `copyRoot`, or in the system's temporary folder if initdb cannot run below `copyRoot`. The caller holds the lock of
 * the data folder with `copyRoot`; other processes share the installed package.
 *
 * @throws EmbeddedPostgresError if a copy is needed and no folder is suitable
 */
export async function prepareBinaries(
  from: PlatformPackage,
  account: ServerAccount | null,
  copyRoot: string,
): Promise<Binaries> {
  const installed = from.native;
  const reached = await isReachable(join(installed, 'bin', 'postgres'), account);
  if (reached && initdbRunsIn(installed) && (await hydrate(installed))) return binariesIn(installed);
  if (initdbRunsIn(copyRoot)) return binariesIn(await copyOf(from, copyRoot));
  const temporary = await temporaryFolder(copyRoot, account);
  const discard = (): Promise<void> => rm(temporary, { recursive: true, force: true });
  return { ...binariesIn(await copyOf(from, join(temporary, 'binaries'))), discard };
}

const binariesIn = (native: string): Binaries => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
  discard: () => Promise.resolve(),
});

/** initdb passes its folder to a shell in double quotes. */
const initdbRunsIn = (folder: string): boolean => !/["$`\\]/.test(folder);

const TEMPORARY = 'laurel-binaries-';

/** Creates a temporary folder, and records it, so that the next start removes it if this process is killed. */
async function temporaryFolder(copyRoot: string, account: ServerAccount | null): Promise<string> {
  const record = `${copyRoot}-folder`;
  const former = await readFile(record, 'utf8').catch(() => null);
  // Root removes the folder recursively, so the record is only trusted for folders with this name.
  if (former !== null && basename(former).startsWith(TEMPORARY)) await rm(former, { recursive: true, force: true });
  const folder = await mkdtemp(join(await temporaryParent(copyRoot, account), TEMPORARY));
  await writeFile(record, folder, { mode: 0o600 });
  await chmod(folder, 0o755);
  return folder;
}

async function temporaryParent(copyRoot: string, account: ServerAccount | null): Promise<string> {
  for (const parent of [tmpdir(), '/tmp'])
    if (initdbRunsIn(parent) && (await isReachable(parent, account))) return parent;
  throw new EmbeddedPostgresError(
    `The programs of the embedded database cannot be copied to ${copyRoot}: initdb does not run in a folder with ", $, \` or \\ ` +
      'in its name. Set LAUREL_DATA_DIR to another folder, or TMPDIR to one that every account reaches.',
  );
}

/**
 * Creates the library links that a package archive cannot contain (the package's install script may be forbidden). Idempotent.
 * @returns false if the folder is not writable
 */
export async function hydrate(native: string): Promise<boolean> {
  try {
    for (const { source, target } of await linksOf(native)) await link(source, target);
    return true;
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

async function linksOf(native: string): Promise<{ source: string; target: string }[]> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return '[]';
    throw error;
  });
  const entries = JSON.parse(list) as { source: string; target: string }[];
  // The entries are relative to the package's folder: 'native/lib/…'.
  const inNative = (path: string): string => join(native, relative('native', path));
  return entries.map(({ source, target }) => ({ source: inNative(source), target: inNative(target) }));
}

async function link(source: string, target: string): Promise<void> {
  if (await lstat(target).catch(() => null)) return;
  await symlink(relative(dirname(target), source), target).catch((error: unknown) => {
    if (!isErrno(error, 'EEXIST')) throw error;
  });
}

/** The copy gets its final name only when it is complete. Incomplete copies and copies of other versions are removed. */
async function copyOf(from: PlatformPackage, copyRoot: string): Promise<string> {
  const copy = join(copyRoot, from.label);
  if (await lstat(copy).catch(() => null)) return copy;
  await rm(copyRoot, { recursive: true, force: true });
  await mkdir(copyRoot);
  await chmod(copyRoot, 0o755);
  const draft = join(copyRoot, 'draft');
  await cp(from.native, draft, { recursive: true, verbatimSymlinks: true });
  await hydrate(draft);
  await openToAll(draft);
  await rename(draft, copy);
  return copy;
}

/** Makes the copy readable for the server's account, whatever the umask was at installation. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
