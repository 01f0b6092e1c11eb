import type { StreakEffect, RecordedUserEvent } from '@laurel/kernel';
import type { UserSourceEvent } from './source-event.ts';
import { freezeEarned } from './streaks.ts';

const SWEPT = Date.parse('2026-03-08T12:34:20Z');
const [BEFORE, OPENED, AFTER] = [SWEPT - 172_800_000, SWEPT - 20_000, SWEPT - 5_000];
const PERIOD = 20_520;

const notified = (effects: readonly StreakEffect[], dueFrom = OPENED) =>
  freezeEarned({ effects, dueFrom, record: { occurredAt: SWEPT } as RecordedUserEvent } as UserSourceEvent).map(
    ({ at, fields }) => ({ at, ...fields }),
  );

const earned = (held: number, earnedAt?: number) =>
  ({ type: 'FreezeEarned', earned: 1, held, ...(earnedAt !== undefined && { earnedAt }) }) as const;
const used = { type: 'FreezeUsed', at: BEFORE, period: PERIOD, length: 4 } as const;

describe('earned freezes', () => {
  it('make no outcome if they were earned before an import without outcomes, even if settled later', () => {
    expect(notified([earned(1, BEFORE), used, earned(1, BEFORE + 1)])).toEqual([]);
  });

  it('make an outcome for those earned since, with the number held', () => {
    expect(notified([earned(1, BEFORE), used, earned(1, AFTER)])).toEqual([{ at: SWEPT, earned: 1, freezes: 1 }]);
    expect(notified([earned(1, BEFORE), earned(2, AFTER)])).toEqual([{ at: SWEPT, earned: 1, freezes: 2 }]);
  });

  it('make an outcome if nothing was imported, even if the effect has no instant', () => {
    expect(notified([earned(1, BEFORE)], -Infinity)).toEqual([{ at: SWEPT, earned: 1, freezes: 1 }]);
    expect(notified([earned(1)])).toEqual([{ at: SWEPT, earned: 1, freezes: 1 }]);
  });

  it('make an outcome if they were granted', () => {
    expect(notified([{ type: 'FreezesGranted', granted: 2, held: 3 }])).toEqual([{ at: SWEPT, earned: 2, freezes: 3 }]);
  });
});
