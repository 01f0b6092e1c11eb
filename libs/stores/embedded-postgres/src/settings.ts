/** Server settings by name. They are passed on the command line, so that each start has the settings of this version. */
export type Settings = ReadonlyMap<string, string>;

/** The resources of the machine, in bytes. */
export interface Machine {
  /** Limited by the container, if it has less than the machine. */
  readonly memoryBytes: number;
  /** The size of the file system with the database. */
  readonly diskBytes: number;
}

const MIB = 2 ** 20;

const within = (bytes: number, least: number, most: number): string =>
  `${Math.floor(Math.min(Math.max(bytes / MIB, least), most))}MB`;

/**
 * An eighth of the memory for buffers, however small the machine is, because Laurel needs the rest. With very many users, each active user has
 * separate pages: a page outside the buffers costs each event a read and, because most pages are modified, a write.
 *
 * The write-ahead log may grow to the free space that the status asks for, which it may need within minutes. A larger log needs fewer
 * checkpoints, which write all those pages; after a crash, recovery reads the log since the last checkpoint.
 */
export const sizesFor = ({ memoryBytes, diskBytes }: Machine): Settings =>
  new Map([
    ['shared_buffers', within(memoryBytes / 8, 1, 2_048)],
    ['max_wal_size', within(diskBytes / 20, 1_024, 4_096)],
  ]);

/** Settings for a small machine (2 cores) that the server shares with Laurel; `startEmbeddedPostgres({ settings })` overrides them. */
const TUNING: Settings = new Map([
  ['work_mem', '8MB'],
  ['maintenance_work_mem', '128MB'],
  ['effective_cache_size', '1GB'],
  ['max_connections', '100'],
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
 * Postgres 18 may hang for ever when it restarts itself after a crash while the disk is still full. Instead it ends, and its supervisor starts
 * it again.
 */
const WATCHED: Settings = new Map([['restart_after_crash', 'off']]);

const UNSAFE: Settings = new Map([
  ['fsync', 'off'],
  ['full_page_writes', 'off'],
  ['synchronous_commit', 'off'],
  ['shared_buffers', '64MB'],
]);

/** Settings that cannot be overridden: no TCP port, one private socket, one time zone, a log in the file that Laurel reads. */
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
  machine: Machine,
  options: { readonly settings?: Settings; readonly restart?: boolean; readonly unsafeForTests: boolean },
): string[] {
  const all = new Map([
    ...TUNING,
    ...sizesFor(machine),
    ...(options.restart ? WATCHED : []),
    ...(options.settings ?? []),
    ...(options.unsafeForTests ? UNSAFE : DURABLE),
    ...fixed(quoteListItem(where.socketDir), where.port),
  ]);
  return ['-D', pgData, ...[...all].flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** unix_socket_directories is a list: a comma or a space in the folder's name must not split it. */
const quoteListItem = (path: string): string => `"${path.replaceAll('"', '""')}"`;
