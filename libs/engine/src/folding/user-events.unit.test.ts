import type { RecordedUserEvent } from '@laurel/kernel';
import type { BeforeAfterFolds } from './corrected-fold.ts';
import type { UserRef } from './document.ts';
import { eachEvent, type UserEvents } from './user-events.ts';
import { takeEvents } from './user-fold.ts';

const ADA: UserRef = { account: 'default', subject: 1 };

/** A user of so many events. */
function eventsOf(count: number) {
  const own = Array.from({ length: count }, (_, index) => ({ position: index + 1 }) as RecordedUserEvent);
  const reads: number[] = [];
  const events: Pick<UserEvents, 'read'> = {
    read: (_user, after, limit) => {
      reads.push(after);
      return Promise.resolve(own.filter(({ position }) => position > after).slice(0, limit));
    },
  };
  return { events, reads };
}

describe('the events of a user', () => {
  it('are read page by page, after one position and up to another', async () => {
    const { events, reads } = eventsOf(1_200);
    const taken: number[] = [];
    await eachEvent(events, ADA, { after: 10, upTo: 1_100 }, ({ position }) => {
      taken.push(position);
      return 0;
    });
    expect([taken.length, taken[0], taken.at(-1)]).toEqual([1_090, 11, 1_100]);
    expect(reads).toEqual([10, 510, 1_010]);
  });

  it('let other work run after an event with many effects', async () => {
    const { events } = eventsOf(3);
    const turns: boolean[] = [];
    let hadTurn = false;
    const folds = {
      position: 0,
      apply: () => {
        turns.push(hadTurn);
        hadTurn = false;
        setImmediate(() => (hadTurn = true));
        return 64;
      },
    } as unknown as BeforeAfterFolds;
    await takeEvents(folds, events, ADA, Infinity);
    expect(turns).toEqual([false, true, true]);
  });
});
