/** Sizes of the steps of a rebuild, and its limits in memory. */
export interface RebuildOptions {
  /** The most records that are read, and applied before their rows are written. The result does not depend on it. */
  readonly batchSize: number;
  /** Bytes of users' states in memory, as they are stored. A single chunk of the log may need more. */
  readonly cachedUserBytes: number;
  /** Bytes of documents, standings and counters that are written once, at the end. */
  readonly heldBytes: number;
  /** Bytes of standings in memory. */
  readonly standingsBytes: number;
}

const MIB = 1024 * 1024;
export const DEFAULT_REBUILD_OPTIONS: RebuildOptions = {
  batchSize: 5_000,
  cachedUserBytes: 128 * MIB,
  heldBytes: 64 * MIB,
  standingsBytes: 80 * MIB,
};
