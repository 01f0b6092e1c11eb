/** How much a rebuild does at a time, and how much of it is in memory. */
export interface RebuildOptions {
  /** Records that are read, and at most applied before what they gave is written. The outcome does not depend on it. */
  readonly batchSize: number;
  /** Of the users' states in memory, as they are stored; those of a single chunk of the log may take more. */
  readonly cachedUserBytes: number;
  /** Of documents, standings and counters that wait to be written once, at the end. */
  readonly heldBytes: number;
  /** Of the standings in memory. */
  readonly standingsBytes: number;
}

const MIB = 1024 * 1024;
export const DEFAULT_REBUILD_OPTIONS: RebuildOptions = {
  batchSize: 5_000,
  cachedUserBytes: 128 * MIB,
  heldBytes: 64 * MIB,
  standingsBytes: 80 * MIB,
};
