import type { UserRecord } from '@laurel/contracts';
import type { EventChange } from './event-changes.ts';
import { EventOrder } from './event-order.ts';

/** An event at a place of the log, that happened at an instant. */
const at = (position: number, occurredAt: number): UserRecord =>
  ({ position, occurredAt, fact: { type: 'MetricEventRecorded', value: 1n, user: {} } }) as UserRecord;
const moved = (occurredAt: number, position = Infinity, place = 0): EventChange => ({
  ...{ retracted: false, occurredAt, movedBy: { position, place } },
});

/** The positions in the order in which they apply. */
function orderOf(events: readonly UserRecord[], changes: Readonly<Record<number, EventChange>>): readonly number[] {
  const order = EventOrder.of(
    new Map(Object.entries(changes).map(([place, change]) => [Number(place), change])),
    events,
  );
  return [...events.flatMap((record) => order.next(record)), ...order.last()].map(({ record }) => record.position);
}

describe('the order of a user\u2019s events', () => {
  const events = [at(1, 10), at(2, 20), at(3, 30), at(4, 40)];

  it('is that of the log as long as no instant is amended', () => {
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
  ])('has a moved event before the first that is later: %j', (changes, order) => {
    expect(orderOf(events, changes)).toEqual(order);
  });

  it('has it before a late import only if that is later', () => {
    expect(orderOf([at(1, 10), at(2, 40), at(3, 5), at(4, 50)], { 4: moved(7) })).toEqual([4, 1, 2, 3]);
    expect(orderOf([at(1, 10), at(2, 5), at(3, 40), at(4, 50)], { 4: moved(20) })).toEqual([1, 2, 4, 3]);
  });

  it('has it before whatever was recorded behind the correction that moves it', () => {
    expect(orderOf([at(1, 10), at(2, 20), at(4, 12)], { 1: moved(30, 3) })).toEqual([2, 1, 4]);
  });
});
