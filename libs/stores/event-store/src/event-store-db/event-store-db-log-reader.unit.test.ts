import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import { subjectOf } from '@laurel/testing/subjects';
import { ManualClock } from '@laurel/testing/clock';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { EventStoreDbLogReader, type ReadingClient } from './event-store-db-log-reader.ts';
import type { CursorPage, FilteredCursor } from './filtered-cursor.ts';
import { NO_KEYS } from '../personal-fields.ts';
import { fact } from '../sample-records.fixture.ts';
import { HeadFinder } from './head-finder.ts';
import { Slots } from './slots.ts';
import { positionAt, proposedEvent } from './stored-event.ts';
import { StreamNames } from './stream-names.ts';

const eventAt = (place: number): AllStreamRecordedEvent =>
  ({
    ...proposedEvent(fact({ type: 'UsersSwept', subjects: [subjectOf(`u${place}`)] }), NO_KEYS),
    isJson: true,
    streamId: 'laurel-a',
    position: positionAt(place),
  }) as unknown as AllStreamRecordedEvent;

const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => eventAt(from + n));

/** A cursor that gives what a test hands it. */
class CursorStub {
  isOver = false;
  closed = 0;
  give: (page: CursorPage) => void = () => undefined;

  take(): Promise<CursorPage> {
    return new Promise((resolve) => (this.give = resolve));
  }

  close(): void {
    this.closed++;
  }
}

/** A reader before a server that holds 2,000 events of ours, with the cursors that it has opened. */
function open() {
  const clock = new ManualClock();
  const cursors: CursorStub[] = [];
  const client: Partial<ReadingClient> = {
    readForwards: (from, count) => Promise.resolve(events(Number(from?.commit ?? 1n), 2_000).slice(0, count)),
    openCursor: () => {
      cursors.push(new CursorStub());
      return cursors.at(-1) as unknown as FilteredCursor;
    },
    watch: (reading) => reading,
  };
  const names = new StreamNames('laurel-');
  const keys = new MemoryDataKeys();
  const reader = new EventStoreDbLogReader(client as ReadingClient, {
    ...{ names, clock, slots: new Slots(1), dataKeys: keys },
    head: new HeadFinder(client as ReadingClient, names),
  });
  return { reader, clock, cursors };
}

const FULL = { caughtUp: false, passed: null };

/** Reads up to where a cursor is needed, and begins to read on with it. */
async function readOn({ reader, cursors }: ReturnType<typeof open>) {
  await reader.read(0, 10);
  const reading = reader.read(10, 10);
  return { reading, cursor: cursors[0] as CursorStub };
}

describe('the cursor of a reader', () => {
  it('is kept for a reader that continues where it stopped, for a limited time', async () => {
    const opened = open();
    const { reading, cursor } = await readOn(opened);
    cursor.give({ ...FULL, events: events(11, 20) });
    expect(await reading).toHaveLength(10);
    const next = opened.reader.read(20, 10);
    cursor.give({ ...FULL, events: events(21, 30) });
    expect(await next).toHaveLength(10);
    expect([opened.cursors.length, cursor.closed]).toEqual([1, 0]);
    await opened.clock.advance(10_000);
    expect([cursor.closed, opened.clock.timers]).toEqual([1, 0]);
  });

  it('is closed with the reader', async () => {
    const opened = open();
    const { reading, cursor } = await readOn(opened);
    cursor.give({ ...FULL, events: events(11, 20) });
    await reading;
    opened.reader.close();
    expect([cursor.closed, opened.clock.timers]).toEqual([1, 0]);
  });

  it('is not kept by a read that ends after the reader was closed', async () => {
    const opened = open();
    const { reading, cursor } = await readOn(opened);
    opened.reader.close();
    cursor.give({ ...FULL, events: events(11, 20) });
    expect(await reading).toHaveLength(10);
    expect([cursor.closed, opened.clock.timers]).toEqual([1, 0]);
  });

  it('is replaced if its connection has been given up', async () => {
    const opened = open();
    const { reading, cursor } = await readOn(opened);
    cursor.give({ ...FULL, events: events(11, 20) });
    await reading;
    cursor.isOver = true;
    const next = opened.reader.read(20, 10);
    opened.cursors[1]?.give({ ...FULL, events: events(21, 30) });
    expect(await next).toHaveLength(10);
    expect([opened.cursors.length, cursor.closed]).toEqual([2, 1]);
    opened.reader.close();
  });

  it('is not trusted to have caught up since it was kept', async () => {
    const opened = open();
    const { reading, cursor } = await readOn(opened);
    cursor.give({ ...FULL, events: events(11, 20) });
    await reading;
    const next = opened.reader.read(20, 10);
    cursor.give({ caughtUp: true, passed: positionAt(19), events: events(21, 22) });
    expect((await next).map(({ position }) => position)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
    expect([cursor.closed, opened.clock.timers]).toEqual([1, 0]);
  });
});
