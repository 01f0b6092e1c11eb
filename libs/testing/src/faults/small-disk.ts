import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { processTree } from './process-tree.ts';

/** A folder whose disk a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Whether the full disk refuses every growing file; if false, only large files such as segments of WAL. */
  readonly refusesSmallFiles: boolean;
  /** Fills the disk. */
  fill(): void;
  /** Frees the space. */
  free(): void;
  /** Removes the folder. Its users must have ended. */
  close(): void;
}

const MEGABYTE = 1024 * 1024;
/** Largest file of the database while the disk is full. A WAL segment has 16 MB; the writers' logs stay smaller. */
const LARGEST_FILE = 4 * MEGABYTE;
const REFILL_MS = 100;
const LIMIT_AGAIN_MS = 500;

export interface SmallDiskOptions {
  readonly megabytes: number;
  /**
   * Returns the processes that write to the folder, with their descendants. If no file system can be mounted (this
   * takes root), a limit on the size of their files simulates the full disk.
   */
  readonly writers: () => readonly number[];
  /** How the disk is made small. Default: by a separate file system, if one can be mounted. */
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

/** Starts a process that unmounts the disk even if this process is killed: the pipe between them then ends. */
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

  /** Also uses up space that writers free meanwhile. */
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

  /** Also limits writers that start later. */
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

  /** Sets only the soft limit, which can be raised again; children of the writers inherit it. */
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

/**
 * The owner of a process: root may lack the right to limit processes of other users, but can run as them. null if the
 * process has ended.
 */
function ownerOf(pid: number): { readonly uid: number; readonly gid: number } | null {
  const found = statSync(`/proc/${pid}`, { throwIfNoEntry: false });
  return found === undefined ? null : { uid: found.uid, gid: found.gid };
}
