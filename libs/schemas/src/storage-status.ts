import { z } from 'zod';
import { named } from './named-object.ts';
import { count } from './fields.ts';

const reason = z.string().optional();

/** How much disk the service takes, in `GET /admin/v1/status`. At most a second old. */
export const storageStatus = named('StorageStatus', 'Disk space that the service uses.', {
  databaseBytes: count.meta({ description: 'Size of the database, without the write-ahead log.' }),
  logBytes: count.nullable().meta({ description: 'Tables of the event log; null: it is not in this database.' }),
  readModelBytes: count.meta({ description: 'Tables of the read models.' }),
  indexBytes: count.meta({ description: 'Indexes of all these tables.' }),
  walBytes: count.nullable().meta({
    description: 'Size of the write-ahead log of the database server; null: unknown.',
  }),
  freeBytes: count.nullable().meta({
    description: 'Free space on the file system of the embedded database; null: unknown.',
  }),
  totalBytes: count.nullable().meta({ description: 'Size of that file system; null: unknown.' }),
  low: z.boolean().meta({
    description: 'Less than 5 % is free; the limit is at least 1 GiB and at most 20 GiB.',
  }),
  bytesPerEvent: z
    .object({
      log: count.meta({ description: 'Bytes of the log.' }),
      readModels: count.meta({ description: 'Bytes of the read models.' }),
      indexes: count.meta({ description: 'Bytes of the indexes.' }),
    })
    .nullable()
    .meta({
      id: 'BytesPerEvent',
      description:
        'Bytes divided by the number of records in the log; null below 10,000 records, where this would say little.',
    }),
  eventsUntilFull: count.nullable().meta({
    description:
      'Events for which the free space lasts at `bytesPerEvent`, after the write-ahead log has grown to its limit; null: unknown.',
  }),
  unknown: named('UnknownSizes', 'Why a size is null, with a field for each one.', {
    logBytes: reason.meta({ description: 'Why `logBytes` is null.' }),
    walBytes: reason.meta({ description: 'Why `walBytes` is null.' }),
    freeBytes: reason.meta({ description: 'Why `freeBytes` and `totalBytes` are null.' }),
  }),
});
export type StorageStatus = z.infer<typeof storageStatus>;
