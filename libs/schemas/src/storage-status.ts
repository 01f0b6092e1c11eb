import { z } from 'zod';

const bytes = z.number().int().min(0);
const reason = z.string().optional();

/** How much disk the service takes, in `GET /admin/v1/status`. At most a second old. */
export const storageStatus = z
  .object({
    databaseBytes: bytes.meta({ description: 'Size of the database, without the write-ahead log.' }),
    logBytes: bytes.nullable().meta({ description: 'Tables of the event log; null: it is not in this database.' }),
    readModelBytes: bytes.meta({ description: 'Tables of the read models.' }),
    indexBytes: bytes.meta({ description: 'Indexes of all these tables.' }),
    walBytes: bytes.nullable().meta({
      description: 'Size of the write-ahead log of the database server; null: unknown.',
    }),
    freeBytes: bytes.nullable().meta({
      description: 'Free space on the file system of the embedded database; null: unknown.',
    }),
    totalBytes: bytes.nullable().meta({ description: 'Size of that file system; null: unknown.' }),
    low: z.boolean().meta({
      description: 'Less than 5 % is free; the limit is at least 1 GiB and at most 20 GiB.',
    }),
    bytesPerEvent: z
      .object({
        log: bytes.meta({ description: 'Bytes of the log.' }),
        readModels: bytes.meta({ description: 'Bytes of the read models.' }),
        indexes: bytes.meta({ description: 'Bytes of the indexes.' }),
      })
      .nullable()
      .meta({
        id: 'BytesPerEvent',
        description:
          'Bytes divided by the number of records in the log; null below 10,000 records, where this would say little.',
      }),
    eventsUntilFull: z.number().int().min(0).nullable().meta({
      description:
        'Events for which the free space lasts at `bytesPerEvent`, after the write-ahead log has grown to its limit; null: unknown.',
    }),
    unknown: z
      .object({
        logBytes: reason.meta({ description: 'Why `logBytes` is null.' }),
        walBytes: reason.meta({ description: 'Why `walBytes` is null.' }),
        freeBytes: reason.meta({ description: 'Why `freeBytes` and `totalBytes` are null.' }),
      })
      .meta({ id: 'UnknownSizes', description: 'Why a size is null, with a field for each one.' }),
  })
  .meta({ id: 'StorageStatus', description: 'Disk space that the service uses.' });
export type StorageStatus = z.infer<typeof storageStatus>;
