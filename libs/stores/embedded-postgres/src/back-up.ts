import { chmod, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openSession } from '@laurel/database/session';
import type pg from 'pg';
import type { EmbeddedConnection } from './connection.ts';
import { copyDurably, syncFolder, writeDurably } from './durable-files.ts';
import { dataFolderAt, giveTo, prepareRoot, type DataFolder } from './data-folder.ts';
import { EmbeddedPostgresError, isErrno } from './embedded-postgres-error.ts';
import type { ServerAccount } from './run-program.ts';
import { chooseServerAccount } from './server-account.ts';

export interface BackupOptions {
  /** The data folder of the server. */
  readonly dataDir: string;
  /** The connection to the server that runs on it. */
  readonly connection: EmbeddedConnection;
  /** The folder to create; it must not exist or must be empty. */
  readonly target: string;
  /** Called after each file with the progress; the next file waits for it. */
  readonly onProgress?: (copied: Copied) => void | Promise<void>;
  /** Aborts the backup and removes the copied files. */
  readonly signal?: AbortSignal;
}

export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

/** `endLsn` is the position of the write-ahead log up to which the copy contains every commit. */
export interface Backup extends Copied {
  readonly target: string;
  readonly endLsn: string;
}

/**
 * Copies the database of a running server into a folder that `startEmbeddedPostgres` can start: an online base backup with the necessary
 * write-ahead log. It contains everything that is acknowledged before the copy of the tables ends. The server keeps running normally.
 *
 * The folder gets its name when it is complete and flushed; an interrupted backup removes its files. The copy has the roles and passwords of
 * the server: keep it as safe as the data folder.
 *
 * @throws EmbeddedPostgresError if the target is in use or lies within the data folder, or the signal is aborted
 */
export async function backUp(options: BackupOptions): Promise<Backup> {
  const source = await dataFolderAt(options.dataDir);
  const target = resolve(options.target);
  await assertFree(target, source.root);
  const partial = `${target}.partial-${process.pid}`;
  const account = await chooseServerAccount(source.pgData);
  const client = await openSession(options.connection);
  try {
    await prepareRoot(partial, account);
    const copy = new FolderCopy(source, await dataFolderAt(partial), account, options);
    const endLsn = await copyWhileItRuns(client, copy);
    await rmdir(target).catch(ignoreAbsent);
    await rename(partial, target);
    await syncFolder(dirname(target));
    return { target, endLsn, ...copy.copied };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function assertFree(target: string, root: string): Promise<void> {
  if (`${target}/`.startsWith(`${root}/`)) throw new EmbeddedPostgresError(`${target} lies in the data folder ${root}`);
  const entries = await readdir(target).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return [];
    if (isErrno(error, 'ENOTDIR')) throw new EmbeddedPostgresError(`${target} is a file`);
    throw error;
  });
  if (entries.length > 0) throw new EmbeddedPostgresError(`${target} is not empty`);
}

function ignoreAbsent(error: unknown): void {
  if (!isErrno(error, 'ENOENT')) throw error;
}

/** Postgres's own procedure ("Making a Base Backup Using the Low Level API"). */
async function copyWhileItRuns(client: pg.Client, copy: FolderCopy): Promise<string> {
  // A temporary slot prevents the server from recycling the log that it writes meanwhile.
  await client.query(`select pg_create_physical_replication_slot($1, true, true)`, [`laurel_backup_${process.pid}`]);
  const { rows: started } = await client.query<{ file: string }>(
    `select pg_walfile_name(pg_backup_start('laurel backup', fast => true)) as file`,
  );
  await copy.database();
  const { rows: stopped } = await client.query<{ lsn: string; file: string; labelfile: string }>(
    `select lsn::text, pg_walfile_name(lsn) as file, labelfile from pg_backup_stop(wait_for_archive => false)`,
  );
  const [{ file: first } = { file: '' }] = started;
  const [{ lsn, file: last, labelfile } = { lsn: '', file: '', labelfile: '' }] = stopped;
  await copy.log(first, last);
  await copy.label(labelfile);
  return lsn;
}

/** Files that the server recreates, or must not inherit. */
const LEFT_OUT_FILES = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'tablespace_map']);
const LEFT_OUT_CONTENTS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const TEMPORARY = /^(pgsql_tmp|pg_internal\.init)/;
const CONTROL = 'global/pg_control';

class FolderCopy {
  readonly #source: DataFolder;
  readonly #target: DataFolder;
  readonly #account: ServerAccount | null;
  readonly #options: Pick<BackupOptions, 'onProgress' | 'signal'>;
  #copied: Copied = { files: 0, bytes: 0 };

  constructor(source: DataFolder, target: DataFolder, account: ServerAccount | null, options: BackupOptions) {
    this.#source = source;
    this.#target = target;
    this.#account = account;
    this.#options = options;
  }

  get copied(): Copied {
    return this.#copied;
  }

  /** Copies the control file last, because it names the checkpoint at which recovery begins. */
  async database(): Promise<void> {
    await this.#folder('');
    await this.#file(CONTROL);
    await copyDurably(this.#source.password, this.#target.password);
  }

  async log(first: string, last: string): Promise<void> {
    const segments = (await readdir(join(this.#source.pgData, 'pg_wal'))).filter(
      (name) => name >= first && name <= last,
    );
    if (!segments.includes(first) || !segments.includes(last))
      throw new EmbeddedPostgresError(`the write-ahead log from ${first} to ${last} is not there any more`);
    for (const name of segments) await this.#file(join('pg_wal', name));
    await syncFolder(join(this.#target.pgData, 'pg_wal'));
  }

  async label(text: string): Promise<void> {
    const path = join(this.#target.pgData, 'backup_label');
    await writeDurably(path, text);
    await giveTo(path, this.#account);
    await syncFolder(this.#target.pgData);
    await syncFolder(this.#target.root);
  }

  async #folder(name: string): Promise<void> {
    const path = join(this.#target.pgData, name);
    await mkdir(path, { mode: 0o700 });
    await chmod(path, (await stat(join(this.#source.pgData, name))).mode);
    await giveTo(path, this.#account);
    for (const entry of await readdir(join(this.#source.pgData, name), { withFileTypes: true })) {
      const inside = join(name, entry.name);
      if (LEFT_OUT_FILES.has(inside) || TEMPORARY.test(entry.name) || inside === CONTROL) continue;
      if (entry.isDirectory() && LEFT_OUT_CONTENTS.has(inside)) await this.#emptyFolder(inside);
      else if (entry.isDirectory()) await this.#folder(inside);
      else if (entry.isFile()) await this.#file(inside);
    }
    await syncFolder(path);
  }

  async #emptyFolder(name: string): Promise<void> {
    await mkdir(join(this.#target.pgData, name), { mode: 0o700 });
    await giveTo(join(this.#target.pgData, name), this.#account);
    if (name !== 'pg_wal') return;
    await this.#emptyFolder('pg_wal/archive_status');
    await this.#emptyFolder('pg_wal/summaries');
  }

  /** A missing file belongs to a table that was dropped meanwhile; recovery does not need it. */
  async #file(name: string): Promise<void> {
    if (this.#options.signal?.aborted) throw new EmbeddedPostgresError('the backup was interrupted');
    const path = join(this.#target.pgData, name);
    try {
      const bytes = await copyDurably(join(this.#source.pgData, name), path);
      this.#copied = { files: this.#copied.files + 1, bytes: this.#copied.bytes + bytes };
    } catch (error) {
      if (!isErrno(error, 'ENOENT') || name.startsWith('pg_wal') || name === CONTROL) throw error;
      await rm(path, { force: true });
      return;
    }
    await giveTo(path, this.#account);
    await this.#options.onProgress?.(this.#copied);
  }
}
