import { ManualClock } from '@laurel/testing/clock';
import { EventEmitter } from 'node:events';
import { FilteredCursor } from './filtered-cursor.ts';

/** A subscription that gives what a test hands it. */
class SubscriptionStub extends EventEmitter {
  readonly items: object[] = [];
  ended = 0;

  read(): object | null {
    return this.items.shift() ?? null;
  }

  unsubscribe(): Promise<void> {
    this.ended++;
    return Promise.resolve();
  }

  give(place: number): void {
    this.items.push({ event: { place } });
    this.emit('readable');
  }
}

function open() {
  const subscription = new SubscriptionStub();
  const held = { now: 0 };
  const hold = () => {
    held.now++;
    return () => void held.now--;
  };
  const cursor = new FilteredCursor(() => subscription, new ManualClock(), 5_000, hold);
  return { cursor, subscription, held };
}

describe('a cursor whose connection is given up', () => {
  it('completes the read in progress, and then closes the connection', async () => {
    const { cursor, subscription, held } = open();
    const taking = cursor.take(2);
    subscription.give(1);
    cursor.retire();
    await Promise.resolve();
    expect([cursor.isOver, subscription.ended, held.now]).toEqual([false, 0, 1]);
    subscription.give(2);
    expect((await taking).events).toEqual([{ place: 1 }, { place: 2 }]);
    expect([cursor.isOver, subscription.ended, held.now]).toEqual([true, 1, 0]);
  });

  it('ends at once if no read is in progress', async () => {
    const { cursor, subscription, held } = open();
    subscription.give(1);
    await cursor.take(1);
    cursor.retire();
    expect([cursor.isOver, subscription.ended, held.now]).toEqual([true, 1, 0]);
  });

  it('rejects the read in progress if it is closed', async () => {
    const { cursor, held } = open();
    const taking = cursor.take(1);
    cursor.close();
    await expect(taking).rejects.toThrow('the cursor was closed');
    expect(held.now).toBe(0);
  });
});
