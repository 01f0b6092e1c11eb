import type { StorageUse } from './storage-use.ts';

/** What takes a number that is read when somebody asks; null: not known, and the series is absent. */
export interface GaugeRegistry {
  observe(name: string, help: string, read: () => number | null): void;
}

/** Shows a monitor how much disk the service takes. */
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
