import { storageStatusOf, type StorageReading } from './storage-outlook.ts';

const GIB = 1024 ** 3;
const READING: StorageReading = {
  databaseBytes: 30_000_000,
  logBytes: 4_000_000,
  readModelBytes: 10_000_000,
  indexBytes: 6_000_000,
  walBytes: GIB / 4,
  walLimitBytes: GIB,
  records: 20_000,
  space: { freeBytes: 50 * GIB, totalBytes: 100 * GIB },
};

describe('storageStatusOf', () => {
  it('returns bytes per event and how many more events fit beside a full write-ahead log', () => {
    expect(storageStatusOf(READING)).toMatchObject({
      bytesPerEvent: { log: 200, readModels: 500, indexes: 300 },
      eventsUntilFull: Math.floor((49.25 * GIB) / 1_000),
      low: false,
      unknown: {},
    });
  });

  it('makes no forecast from fewer than 10,000 events', () => {
    expect(storageStatusOf({ ...READING, records: 9_999 })).toMatchObject({
      bytesPerEvent: null,
      eventsUntilFull: null,
      freeBytes: 50 * GIB,
    });
    expect(storageStatusOf({ ...READING, records: 10_000 }).eventsUntilFull).not.toBeNull();
  });

  it('forecasts 0 events if the write-ahead log alone may fill the disk', () => {
    const space = { freeBytes: GIB / 2, totalBytes: 100 * GIB };
    expect(storageStatusOf({ ...READING, space }).eventsUntilFull).toBe(0);
  });

  it.each([
    [GIB - 1, 2 * GIB, true],
    [GIB, 2 * GIB, false],
    [5 * GIB - 1, 100 * GIB, true],
    [5 * GIB, 100 * GIB, false],
    [20 * GIB - 1, 4_000 * GIB, true],
    [20 * GIB, 4_000 * GIB, false],
  ])('reports whether the disk is low: %d free of %d', (freeBytes, totalBytes, low) => {
    expect(storageStatusOf({ ...READING, space: { freeBytes, totalBytes } }).low).toBe(low);
  });

  it('says why a size is unknown', () => {
    const { unknown, ...sizes } = storageStatusOf({ ...READING, records: null, walBytes: null, space: null });
    expect(sizes).toEqual({
      databaseBytes: 30_000_000,
      logBytes: null,
      readModelBytes: 10_000_000,
      indexBytes: 6_000_000,
      walBytes: null,
      freeBytes: null,
      totalBytes: null,
      low: false,
      bytesPerEvent: null,
      eventsUntilFull: null,
    });
    expect(Object.keys(unknown)).toEqual(['logBytes', 'walBytes', 'freeBytes']);
  });
});
