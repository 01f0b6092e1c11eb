import type { StreakEffect, UserRecord } from '@laurel/kernel';
import type { Occurrence } from './occurrence.ts';
import { freezeEarned } from './streaks.ts';

const SWEPT = Date.parse('2026-03-08T12:34:20Z');
const [BEFORE, OPENED, AFTER] = [SWEPT - 172_800_000, SWEPT - 20_000, SWEPT - 5_000];
const PERIOD = 20_520;

const told = (effects: readonly StreakEffect[], dueFrom = OPENED) =>
  freezeEarned({ effects, dueFrom, record: { occurredAt: SWEPT } as UserRecord } as Occurrence).map(
    ({ at, fields }) => ({ at, ...fields }),
  );

const earned = (held: number, earnedAt?: number) =>
  ({ type: 'FreezeEarned', earned: 1, held, ...(earnedAt !== undefined && { earnedAt }) }) as const;
const used = { type: 'FreezeUsed', at: BEFORE, period: PERIOD, length: 4 } as const;

describe('freezes that were earned', () => {
  it('are not told if that was before an import without outcomes began, though they are settled later', () => {
    expect(told([earned(1, BEFORE), used, earned(1, BEFORE + 1)])).toEqual([]);
  });

  it('are told without those of the past, with how many are held', () => {
    expect(told([earned(1, BEFORE), used, earned(1, AFTER)])).toEqual([{ at: SWEPT, earned: 1, freezes: 1 }]);
    expect(told([earned(1, BEFORE), earned(2, AFTER)])).toEqual([{ at: SWEPT, earned: 1, freezes: 2 }]);
  });

  it('are told if nothing was imported, also where the effect does not say when', () => {
    expect(told([earned(1, BEFORE)], -Infinity)).toEqual([{ at: SWEPT, earned: 1, freezes: 1 }]);
    expect(told([earned(1)])).toEqual([{ at: SWEPT, earned: 1, freezes: 1 }]);
  });

  it('are told if they were given', () => {
    expect(told([{ type: 'FreezesGranted', granted: 2, held: 3 }])).toEqual([{ at: SWEPT, earned: 2, freezes: 3 }]);
  });
});
