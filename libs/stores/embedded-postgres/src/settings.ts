/** Server settings by name. They are given on the command line, so that each start has those of this version. */
export type Settings = ReadonlyMap<string, string>;

/** What the server shares with Laurel and others, in bytes. */
export interface Machine {
  /** Of the container, if that has less than the machine. */
  readonly memoryBytes: number;
  /** Of the file system with the database, used or not. */
  readonly diskBytes: number;
}

const MIB = 2 ** 20;

const within = (bytes: number, least: number, most: number): string =>
  `${Math.floor(Math.min(Math.max(bytes / MIB, least), most))}MB`;

/**
 * An eighth of the memory for buffers, however small the machine is: Laurel needs the rest. Among very many users each active one has pages of their own: what of them is not in the buffers
 * costs each event a read and, as most pages are changed, a write.
 *
 * The write-ahead log may grow to as much as status asks to be kept free, which it may need within minutes. The more it may hold, the fewer
 * checkpoints write all those pages; after a crash, recovery reads what was written since the last one.
 */
export const sizesFor = ({ memoryBytes, diskBytes }: Machine): Settings =>
  new Map([
    ['shared_buffers', within(memoryBytes / 8, 1, 2_048)],
    ['max_wal_size', within(diskBytes / 20, 1_024, 4_096)],
  ]);

/** For a small machine (2 cores) that the server shares with Laurel; `startEmbeddedPostgres({ settings })` overrides them. */
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
