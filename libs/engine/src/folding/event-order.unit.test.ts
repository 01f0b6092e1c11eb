import type { RecordedUserEvent } from '@laurel/kernel';
import type { EventChange } from './event-changes.ts';
import { EventOrder, type OrderedEvent } from './event-order.ts';

/** An event at a place of the log, that happened at an instant. */
const at = (position: number, occurredAt: number): RecordedUserEvent =>
  ({ position, occurredAt, fact: { type: 'MetricEventRecorded', value: 1n, user: {} } }) as RecordedUserEvent;
const moved = (occurredAt: number, position = Infinity, place = 0): EventChange => ({
  ...{ retracted: false, occurredAt, movedBy: { position, place } },
});

/** The positions in the order in which they apply. */
function orderOf(
  events: readonly RecordedUserEvent[],
  changes: Readonly<Record<number, EventChange>>,
): readonly number[] {
  const order = EventOrder.of(
    new Map(Object.entries(changes).map(([place, change]) => [Number(place), change])),
    events,
  );
  return [...events.flatMap((record) => order.next(record)), ...order.last()].map(({ record }) => record.position);
}

describe("the order of a user's events", () => {
  const events = [at(1, 10), at(2, 20), at(3, 30), at(4, 40)];

  it('is the order of recording if no instant is amended', () => {
    expect(orderOf(events, { 2: { retracted: false, value: 2n } })).toEqual([1, 2, 3, 4]);
  });

  it.each([
    [{ 4: moved(15) }, [1, 4, 2, 3]],
    [{ 4: moved(20) }, [1, 2, 4, 3]],
    [{ 1: moved(35) }, [2, 3, 1, 4]],
    [{ 1: moved(40) }, [2, 3, 4, 1]],
    [{ 3: moved(5), 4: moved(5, Infinity, 1) }, [3, 4, 1, 2]],
    [{ 3: moved(5, Infinity, 1), 4: moved(5, 9) }, [4, 3, 1, 2]],
    [{ 4: moved(15), 2: { retracted: true } }, [1, 4, 3]],
    [{ 4: { ...moved(15), retracted: true } }, [1, 2, 3]],
    [{ 3: moved(30) }, [1, 2, 3, 4]],
  ])('places a moved event before the first later one: %j', (changes, order) => {
    expect(orderOf(events, changes)).toEqual(order);
  });

  it('places a moved event before a late import only if the import is later', () => {
    expect(orderOf([at(1, 10), at(2, 40), at(3, 5), at(4, 50)], { 4: moved(7) })).toEqual([4, 1, 2, 3]);
    expect(orderOf([at(1, 10), at(2, 5), at(3, 40), at(4, 50)], { 4: moved(20) })).toEqual([1, 2, 4, 3]);
  });

  it('places a moved event before everything recorded after the correction', () => {
    expect(orderOf([at(1, 10), at(2, 20), at(4, 12)], { 1: moved(30, 3) })).toEqual([2, 1, 4]);
  });

  describe('with sweeps and corrections in between', () => {
    const [own, swept, corrected] = (['MetricEventRecorded', 'UserSwept', 'CorrectionRecorded'] as const).map(
      (type) => (position: number, occurredAt: number, configurationVersion: number) =>
        ({ ...at(position, occurredAt), configurationVersion, fact: { type, user: {} } }) as RecordedUserEvent,
    ) as [Event, Event, Event];
    type Event = (position: number, occurredAt: number, version: number) => RecordedUserEvent;
    const log = [own(1, 10, 1), swept(2, 20, 1), corrected(3, 30, 2), own(4, 40, 3), swept(5, 50, 4), own(6, 60, 5)];

    it.each([
      [
        'holds sweeps and corrections back behind a moved event until the next event of the user',
        6,
        moved(15),
        [[1], [], [], ['6:3', '2:3', '3:3', 4], [5], []],
        [],
      ],
      [
        'releases a moved event at the correction that moved it',
        1,
        moved(15, 3),
        [[], [], ['1', 2, 3], [4], [5], [6]],
        [],
      ],
      ['holds back only a sweep behind the moved event', 1, moved(45), [[], [2], [3], [4], [], ['1:5', '5:5', 6]], []],
      [
        'applies sweeps and corrections at once if no event was moved before them',
        6,
        moved(35),
        [[1], [2], [3], ['6:3', 4], [5], []],
        [],
      ],
      ['holds back nothing before the moved event', 4, moved(55), [[1], [2], [3], [], [5], ['4:5', 6]], []],
      ['gives no version to an event moved behind all others', 4, moved(65), [[1], [2], [3], [], [5], [6]], ['4']],
    ])('%s', (_, position, change, released, last) => {
      const order = EventOrder.of(new Map([[position, change]]), log);
      const shown = ({ record, isMoved, under }: OrderedEvent) =>
        isMoved || under !== null ? `${record.position}${under === null ? '' : `:${under}`}` : record.position;
      expect(log.map((record) => order.next(record).map(shown))).toEqual(released);
      expect(order.last().map(shown)).toEqual(last);
    });

    it('holds sweeps back to the end if no event of the user follows', () => {
      const order = EventOrder.of(new Map([[1, moved(45)]]), log.slice(0, 5));
      const released = log.slice(0, 5).map((record) => order.next(record).map(({ record: { position } }) => position));
      expect(released).toEqual([[], [2], [3], [4], []]);
      expect(order.size).toBe(2);
      expect(order.last().map(({ record, under }) => [record.position, under])).toEqual([
        [1, null],
        [5, null],
      ]);
    });
  });
});
