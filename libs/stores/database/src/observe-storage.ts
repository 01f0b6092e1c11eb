import type { StorageUse } from './storage-use.ts';

/** Registers a gauge that is read at each scrape; null leaves the series out. */
export interface GaugeRegistry {
  observe(name: string, help: string, read: () => number | null): void;
}

/** Exposes the disk usage of the service as metrics. */
export function observeStorage(metrics: GaugeRegistry, storage: Pick<StorageUse, 'latest'>): void {
  const observe = (name: string, help: string, read: (status: NonNullable<StorageUse['latest']>) => number | null) =>
    metrics.observe(name, help, () => {
      const { latest } = storage;
      return latest === null ? null : read(latest);
    });
  observe('laurel_database_bytes', 'Size of the database, without the write-ahead log.', (use) => use.databaseBytes);
  observe('laurel_wal_bytes', 'Size of the write-ahead log of the database server.', (use) => use.walBytes);
  observe('laurel_disk_free_bytes', 'Free space on the disk of the embedded database.', (use) => use.freeBytes);
  observe('laurel_disk_total_bytes', 'Size of the disk of the embedded database.', (use) => use.totalBytes);
}
