import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createPassword, exists, giveTo, privateFolder, readPassword, type DataFolder } from './data-folder.ts';
import { syncFolder } from './durable-files.ts';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { Binaries } from './platform-binaries.ts';
import { runProgram, type ProgramResult, type ServerAccount } from './run-program.ts';
import { stopServerProcesses } from './server-processes.ts';

export const USER = 'laurel';
export const DATABASE = 'laurel';
const MAJOR_VERSION = '18';

export interface Installation {
  readonly folder: DataFolder;
  readonly account: ServerAccount | null;
  readonly binaries: Binaries;
}

/**
 * Creates the database cluster if there is none, and returns its password. The caller holds the folder's lock. The cluster gets its name only
 * when it is complete; an interrupted creation starts again.
 */
export async function ensureCluster(installation: Installation, unsafeForTests: boolean): Promise<string> {
  const { folder } = installation;
  await removeDrafts(folder);
  if (await exists(folder.pgData)) {
    await checkVersion(folder);
    // The file is empty if the disk was full when it was created.
    return (await readPassword(folder)) || resetPassword(installation);
  }
  const password = (await readPassword(folder)) || (await createPassword(folder));
  // A unique name, so that an initdb that outlived its killed parent cannot interfere.
  const draft = `${folder.draftPrefix}${randomBytes(4).toString('hex')}`;
  await privateFolder(draft, installation.account);
  await initdb(installation, draft, password, unsafeForTests);
  await singleUser(installation, draft, `create database ${DATABASE}\n`);
  await rename(draft, folder.pgData);
  await syncFolder(folder.root);
  return password;
}

/** Removes the drafts of interrupted starts, and ends their processes. */
async function removeDrafts(folder: DataFolder): Promise<void> {
  const names = (await readdir(folder.root)).filter((name) => name.startsWith(basename(folder.draftPrefix)));
  for (const draft of names.map((name) => join(folder.root, name))) {
    await stopServerProcesses(draft, () => undefined);
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function initdb(
  installation: Installation,
  draft: string,
  password: string,
  unsafeForTests: boolean,
): Promise<void> {
  const { folder, account, binaries } = installation;
  const passwordFile = `${folder.password}.initdb`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(passwordFile, account);
  try {
    const parameters = initdbParameters(draft, passwordFile, unsafeForTests);
    const result = await runProgram(binaries.initdb, parameters, { account, folder: draft });
    assertDone(result, 'The database could not be created', binaries.initdb);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Collation C everywhere, so that no index depends on the version of a system library. */
const initdbParameters = (draft: string, passwordFile: string, unsafeForTests: boolean): string[] => [
  '--pgdata',
  draft,
  `--username=${USER}`,
  `--pwfile=${passwordFile}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
  ...(unsafeForTests ? ['--no-sync'] : []),
];

/** Runs statements, one per line, without a server. */
async function singleUser(installation: Installation, pgData: string, statements: string): Promise<void> {
  const { account, binaries } = installation;
  const parameters = ['--single', '-D', pgData, '-c', 'exit_on_error=on', 'postgres'];
  const result = await runProgram(binaries.postgres, parameters, { account, input: statements });
  assertDone(result, 'The database could not be prepared', binaries.postgres);
}

/** Sets a new password if the file was lost. Whoever may write in the data folder owns the database anyway. */
async function resetPassword(installation: Installation): Promise<string> {
  const password = await createPassword(installation.folder);
  await singleUser(installation, installation.folder.pgData, `alter role ${USER} password '${password}'\n`);
  return password;
}

async function checkVersion(folder: DataFolder): Promise<void> {
  const version = await readFile(join(folder.pgData, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version?.trim() === MAJOR_VERSION) return;
  throw new EmbeddedPostgresError(
    version === null
      ? `${folder.pgData} exists but is not a Postgres database. Move it away, or choose another folder with LAUREL_DATA_DIR.`
      : `${folder.pgData} was written by Postgres ${version.trim()}; this is Postgres ${MAJOR_VERSION}. Dump it there and restore it here.`,
  );
}

function assertDone(result: ProgramResult, failure: string, program: string): void {
  if (result.error !== null) throw new EmbeddedPostgresError(`${failure}: ${explainSpawnError(result.error, program)}`);
  if (result.code !== 0) throw new EmbeddedPostgresError(`${failure}:\n${lastLines(result.output)}`);
}

export function explainSpawnError(error: Error, program: string): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return `${program} is missing, or this system lacks the C library that it needs (glibc).`;
  if (code === 'ENOEXEC') return `${program} was built for another processor.`;
  if (code === 'EACCES') return `${program} may not be executed here (its file mode, or a file system mounted noexec).`;
  return error.message;
}

export const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-20).join('\n');
