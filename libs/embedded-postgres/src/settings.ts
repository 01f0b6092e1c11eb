import { totalmem } from 'node:os';

/** Server settings by name. They are given on the command line, so that each start has those of this version. */
export type Settings = ReadonlyMap<string, string>;

const MIB = 2 ** 20;

/**
 * An eighth of the memory that the process may use, from 192 MB to 2 GB. Active users' rows lie on pages of their own once there are many users: what
 * of them is not in the buffers costs each event a read and, as most pages are changed, a write.
 * @param bytes of the machine, or of the container
 */
export const sharedBuffers = (bytes: number): string =>
  `${Math.round(Math.min(Math.max(bytes / 8, 192 * MIB), 2_048 * MIB) / MIB)}MB`;

/** A container's limit is smaller than the machine; without one the limit is a number beyond every machine. */
const usableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** For a small machine (2 cores) that the server shares with Laurel; `startEmbeddedPostgres({ settings })` overrides them. */
const TUNING: Settings = new Map([
  ['shared_buffers', sharedBuffers(usableMemory())],
  ['work_mem', '8MB'],
  ['maintenance_work_mem', '128MB'],
  ['effective_cache_size', '1GB'],
  ['max_connections', '100'],
  // As much as status asks to be kept free at least: the write-ahead log may grow to it within minutes.
  ['max_wal_size', '1GB'],
  ['min_wal_size', '128MB'],
  ['wal_compression', 'on'],
  ['checkpoint_timeout', '15min'],
  ['random_page_cost', '1.1'],
  ['jit', 'off'],
  // Parallel workers exchange through /dev/shm, which containers keep at 64 MB.
  ['max_parallel_workers_per_gather', '0'],
  ['log_min_messages', 'warning'],
  ['log_checkpoints', 'off'],
  ['log_line_prefix', '%m [%p] '],
]);

/** An acknowledged event must survive a power cut. */
const DURABLE: Settings = new Map([
  ['fsync', 'on'],
  ['full_page_writes', 'on'],
  ['synchronous_commit', 'on'],
]);

/**
 * Postgres 18 may wait for good, with nobody to recover it, when it starts itself again after a crash and the disk is still full.
 * Ended instead, it is started anew by whoever watches it.
 */
const WATCHED: Settings = new Map([['restart_after_crash', 'off']]);

const UNSAFE: Settings = new Map([
  ['fsync', 'off'],
  ['full_page_writes', 'off'],
  ['synchronous_commit', 'off'],
  ['shared_buffers', '64MB'],
]);

/** What nobody may override: no TCP port, one private socket, one time zone, log to the file that we read. */
const fixed = (socketDir: string, port: number): Settings =>
  new Map([
    ['listen_addresses', ''],
    ['unix_socket_directories', socketDir],
    ['unix_socket_permissions', '0700'],
    ['port', String(port)],
    ['logging_collector', 'off'],
    ['log_destination', 'stderr'],
    ['timezone', 'UTC'],
    ['log_timezone', 'UTC'],
    ['password_encryption', 'scram-sha-256'],
  ]);

export function serverParameters(
  pgData: string,
  where: { readonly socketDir: string; readonly port: number },
  options: { readonly settings?: Settings; readonly restart?: boolean; readonly unsafeForTests: boolean },
): string[] {
  const all = new Map([
    ...TUNING,
    ...(options.restart ? WATCHED : []),
    ...(options.settings ?? []),
    ...(options.unsafeForTests ? UNSAFE : DURABLE),
    ...fixed(quoteListItem(where.socketDir), where.port),
  ]);
  return ['-D', pgData, ...[...all].flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** unix_socket_directories is a list: a comma or a space in the folder's name must not split it. */
const quoteListItem = (path: string): string => `"${path.replaceAll('"', '""')}"`;
