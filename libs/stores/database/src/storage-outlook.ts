import { isLow, type FileSystemSpace } from '@laurel/ports';
import type { StorageStatus } from '@laurel/schemas';

/** Measured sizes, in bytes. */
export interface StorageReading {
  readonly databaseBytes: number;
  readonly logBytes: number;
  readonly readModelBytes: number;
  readonly indexBytes: number;
  /** null if the database user may not see it. */
  readonly walBytes: number | null;
  /** The size of the write-ahead log at which the server starts a checkpoint. */
  readonly walLimitBytes: number;
  /** Records in the log; null if the log is not in this database. */
  readonly records: number | null;
  /** null if the disk of the server cannot be seen from here. */
  readonly space: FileSystemSpace | null;
}

/** With fewer records, empty pages of new tables make up most of the size. */
const RECORDS_FOR_A_FORECAST = 10_000;

const LOG_ELSEWHERE = 'the log is in EventStoreDB';
const WAL_UNKNOWN = 'the database user may not list the files; allow it with: grant pg_monitor to USER';
const SPACE_UNKNOWN = 'the database runs on a server of your own, whose disk cannot be seen from here';

/** Adds bytes per event, and the number of further events for which the disk suffices. */
export function storageStatusOf(reading: StorageReading): StorageStatus {
  const { databaseBytes, logBytes, readModelBytes, indexBytes, walBytes, records, space } = reading;
  return {
    databaseBytes,
    logBytes: records === null ? null : logBytes,
    readModelBytes,
    indexBytes,
    walBytes,
    freeBytes: space?.freeBytes ?? null,
    totalBytes: space?.totalBytes ?? null,
    low: space !== null && isLow(space),
    bytesPerEvent: bytesPerEvent(reading),
    eventsUntilFull: eventsUntilFull(reading),
    unknown: {
      ...(records === null && { logBytes: LOG_ELSEWHERE }),
      ...(walBytes === null && { walBytes: WAL_UNKNOWN }),
      ...(space === null && { freeBytes: SPACE_UNKNOWN }),
    },
  };
}

function bytesPerEvent({ records, logBytes, readModelBytes, indexBytes }: StorageReading) {
  if (records === null || records < RECORDS_FOR_A_FORECAST) return null;
  const perRecord = (bytes: number) => Math.round(bytes / records);
  return { log: perRecord(logBytes), readModels: perRecord(readModelBytes), indexes: perRecord(indexBytes) };
}

function eventsUntilFull(reading: StorageReading): number | null {
  const { records, space, logBytes, readModelBytes, indexBytes, walBytes, walLimitBytes } = reading;
  if (records === null || records < RECORDS_FOR_A_FORECAST || space === null) return null;
  const walGrowth = Math.max(0, walLimitBytes - (walBytes ?? 0));
  const room = Math.max(0, space.freeBytes - walGrowth);
  return Math.floor((room * records) / (logBytes + readModelBytes + indexBytes));
}
