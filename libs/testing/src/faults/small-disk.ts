import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { processTree } from './process-tree.ts';

/** A folder whose disk is full when a test says so. */
export interface SmallDisk {
  readonly folder: string;
  /** Whether a full disk refuses every file that grows; else only a large file, such as a segment of WAL. */
  readonly refusesSmallFiles: boolean;
  /** From now on nothing more fits on it. */
  fill(): void;
  /** There is space again. */
  free(): void;
  /** Everything in the folder is gone. Whoever used it must have ended. */
  close(): void;
}

const MEGABYTE = 1024 * 1024;
/** Of a file of the database; a WAL segment has 16 MB. The writers' logs stay below. */
const LARGEST_FILE = 4 * MEGABYTE;
const REFILL_MS = 100;
const LIMIT_AGAIN_MS = 500;

export interface SmallDiskOptions {
  readonly megabytes: number;
  /**
   * The processes that write to the folder, with their descendants. Where no file system can be mounted (it takes root), a limit
   * on the size of their files stands for the full disk.
   */
  readonly writers: () => readonly number[];
  /** How the disk is made small; if not given, by a file system of its own where one can be mounted. */
  readonly by?: 'file system' | 'file size limit';
}

/** @param folder is created */
export function openSmallDisk(folder: string, options: SmallDiskOptions): SmallDisk {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (options.by !== 'file size limit' && mount(folder, options.megabytes)) {
    unmountWithThisProcess(folder);
    return new MountedDisk(folder);
  }
  if (options.by === 'file system') throw new Error(`no file system could be mounted at ${folder}`);
  return new LimitedFiles(folder, options.writers);
}

function mount(folder: string, megabytes: number): boolean {
  const options = `size=${megabytes}m,mode=0755`;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'laurel-small-disk', folder]).status === 0;
}

/** However this process ends: the pipe that it holds open ends with it. */
function unmountWithThisProcess(folder: string): void {
  const script = 'read -r line; sleep 3; umount --lazy "$0" 2>/dev/null';
  const guard = spawn('sh', ['-c', script, folder], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
}

class MountedDisk implements SmallDisk {
  readonly refusesSmallFiles = true;
  readonly folder: string;
  readonly #ballast: string;
  #refilling: NodeJS.Timeout | null = null;

  constructor(folder: string) {
    this.folder = folder;
    this.#ballast = join(folder, 'ballast');
  }

  /** Also takes the space that writers free meanwhile. */
  fill(): void {
    this.#takeAll();
    this.#refilling ??= setInterval(() => this.#takeAll(), REFILL_MS);
  }

  free(): void {
    if (this.#refilling !== null) clearInterval(this.#refilling);
    this.#refilling = null;
    rmSync(this.#ballast, { force: true });
  }

  close(): void {
    this.free();
    const { status, stderr } = spawnSync('umount', ['--lazy', this.folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${this.folder} cannot be unmounted: ${stderr}`);
  }

  #takeAll(): void {
    const file = openSync(this.#ballast, 'a', 0o600);
    try {
      for (;;) {
        const { bavail, bsize } = statfsSync(this.folder);
        if (bavail === 0) return;
        writeSync(file, Buffer.alloc(Math.min(bavail * bsize, MEGABYTE)));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }
}

class LimitedFiles implements SmallDisk {
  readonly refusesSmallFiles = false;
  readonly folder: string;
  readonly #writers: () => readonly number[];
  #limiting: NodeJS.Timeout | null = null;

  constructor(folder: string, writers: () => readonly number[]) {
    this.folder = folder;
    this.#writers = writers;
  }

  /** Writers that start meanwhile are limited too. */
  fill(): void {
    const limit = (): void => this.#limit(`${LARGEST_FILE}`);
    limit();
    this.#limiting ??= setInterval(limit, LIMIT_AGAIN_MS);
  }

  free(): void {
    if (this.#limiting !== null) clearInterval(this.#limiting);
    this.#limiting = null;
    this.#limit('unlimited');
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The soft limit alone, which may be raised again; what the writers start inherits it. */
  #limit(bytes: string): void {
    for (const pid of this.#writers().flatMap(processTree)) {
      const owner = ownerOf(pid);
      if (owner === null) continue;
      const { status, error, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], {
        encoding: 'utf8',
        ...owner,
      });
      if (status !== 0 && ownerOf(pid) !== null)
        throw new Error(`the size of files cannot be limited: ${error?.message ?? stderr}`);
    }
  }
}

/** Root may lack the right to limit processes of other users, but may run as them. null if the process has ended. */
function ownerOf(pid: number): { readonly uid: number; readonly gid: number } | null {
  const found = statSync(`/proc/${pid}`, { throwIfNoEntry: false });
  return found === undefined ? null : { uid: found.uid, gid: found.gid };
}
