import type { StorageStatus } from '@laurel/schemas';
import { ManualClock } from '@laurel/testing/clock';
import { reportLowSpace } from './report-low-space.ts';

const GIB = 1024 ** 3;
const status = (freeBytes: number | null) =>
  ({
    low: freeBytes !== null && freeBytes < GIB,
    freeBytes,
    totalBytes: freeBytes === null ? null : 10 * GIB,
  }) as StorageStatus;

describe('a disk that fills up', () => {
  it('is noted in /readyz while it lasts, and logged each time it begins', () => {
    const storage = { latest: null as StorageStatus | null };
    const logged: string[] = [];
    let note: () => string | null = () => 'never set';
    reportLowSpace(
      storage,
      { note: (name, text) => void (name === 'disk' && typeof text === 'function' && (note = text)) },
      { warn: (text: unknown) => void logged.push(String(text)) },
      new ManualClock(),
    );
    const text =
      'The disk of the database fills up: 512.0 MiB of 10.0 GiB are free. When it is full, no event is recorded.';
    const notes = [
      null,
      status(null),
      status(2 * GIB),
      status(GIB / 2),
      status(GIB / 2),
      status(2 * GIB),
      status(GIB / 2),
    ];
    expect(
      notes.map((latest) => {
        storage.latest = latest;
        return note();
      }),
    ).toEqual([null, null, null, text, text, null, text]);
    expect(logged).toEqual([text, text]);
  });

  it('is logged at the start', () => {
    const logged: unknown[] = [];
    reportLowSpace(
      { latest: status(1) },
      { note: () => undefined },
      { warn: (text: unknown) => void logged.push(text) },
      new ManualClock(),
    );
    expect(logged).toHaveLength(1);
  });

  it('is logged within a minute without any request for /readyz, until reporting stops', async () => {
    const storage = { latest: status(2 * GIB) };
    const logged: unknown[] = [];
    const clock = new ManualClock();
    const stop = reportLowSpace(
      storage,
      { note: () => undefined },
      { warn: (text: unknown) => void logged.push(text) },
      clock,
    );
    await clock.advance(120_000);
    storage.latest = status(GIB / 2);
    await clock.advance(60_000);
    expect(logged).toHaveLength(1);
    stop();
    expect(clock.timers).toBe(0);
  });
});
