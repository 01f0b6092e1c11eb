import { namesWith, NO_NAMES } from './configured-names.ts';
import { EFFECT_COLUMNS } from './effect-columns.ts';
import type { AchievementEffect, Effect, StreakEffect, UserEffect } from './effects.ts';

const NOW = Date.parse('2024-03-29T23:30:00.123Z');
const DAY = Math.floor(NOW / 86_400_000);
const EVENT = { occurredAt: NOW };

type Version = Parameters<typeof namesWith>[1];
const keyed = (...keys: readonly string[]) => keys.map((key) => ({ key }));
const names = namesWith(NO_NAMES, {
  metrics: keyed('__proto__', 'commits'),
  achievements: keyed('first', 'second', '10'),
  leaderboards: [],
  pointsSystems: [],
} as unknown as Version);

const OTHERS: readonly Effect[] = [
  { type: 'LevelChanged', system: 'xp', from: null, to: null, due: false },
  {
    type: 'RankChanged',
    board: 'all',
    run: DAY,
    at: NOW,
    ordinal: 0,
    previousRank: null,
    rank: 1,
    participants: 1,
    previousValue: null,
    value: 1,
    due: false,
  },
];

describe('the column of users', () => {
  const { encode } = boundTo('users');

  it('omits days that equal the UTC date, and effects of other areas', () => {
    const caused: readonly UserEffect[] = [
      { type: 'UserCreated', at: NOW },
      { type: 'ZoneChanged', from: 'UTC', to: 'Asia/Tokyo' },
      { type: 'UserBecameActive', day: DAY + 1 },
      { type: 'UserBecameActive', day: DAY },
      { type: 'MetricTotalChanged', metric: 'commits', change: 2_000_000, total: 2_500_000, day: DAY + 1 },
      { type: 'MetricTotalChanged', metric: '__proto__', change: -1_000_000, total: 0, day: DAY },
      { type: 'UserForgotten' },
    ];
    expect(encode([...caused, ...OTHERS])).toBe(
      '[["created"],["zone","UTC","Asia/Tokyo"],["active",1],["active"],[2,2,"2.5",1],[1,-1,0],["erased"]]',
    );
    expect(encode(OTHERS)).toBeNull();
  });

  it('holds recaps and reactivation messages', () => {
    const totals = [{ metric: 'commits', total: 1_500_000 }];
    expect(
      encode([
        { type: 'RecapDue', at: NOW - 5, periodStart: DAY - 7, periodEnd: DAY - 1, totals },
        { type: 'RecapDue', at: NOW, periodStart: DAY - 6, periodEnd: DAY, totals: [] },
        { type: 'ReactivationDue', at: NOW, message: 1, days: 3 },
      ]),
    ).toBe('[["recap",-1,-5,2,"1.5"],["recap",0,0],["reactivation",1,3,0]]');
  });
});

describe('the column of streaks', () => {
  const { encode } = boundTo('streaks');

  it('omits trailing zeros, and effects of other areas', () => {
    const caused: readonly StreakEffect[] = [
      { type: 'StreakEnded', at: NOW - 9, length: 4, generation: 2 },
      { type: 'StreakStarted', at: NOW, length: 1, period: DAY },
      { type: 'StreakExtended', at: NOW, length: 7, period: DAY - 3 },
      { type: 'FreezeEarned', earned: 1, held: 2 },
      { type: 'StreakEnded', at: NOW, length: 7, generation: 2, byErasure: true },
      { type: 'StreakRevived', at: NOW - 1, length: 7 },
      { type: 'FreezesGranted', granted: -2, held: 0 },
      { type: 'PeriodSkipped', period: DAY - 1, length: 7 },
      { type: 'PeriodExcused', period: DAY, length: 7 },
      { type: 'StreakRejoined', at: NOW, length: 9, joined: 2 },
    ];
    expect(encode([...OTHERS, ...caused])).toBe(
      '[["ended",4,2,-9],["started"],["extended",7,-3],["earned",1,2],["ended",7,2,0,1],' +
        '["revived",7,-1],["granted",-2],["skipped",7,-1],["excused",7],["rejoined",9,2]]',
    );
    expect(encode(OTHERS)).toBeNull();
  });

  it('appends the streak and freezes after the event if the effect carries them', () => {
    expect(
      encode([
        { type: 'FreezeUsed', at: NOW - 9, period: DAY - 1, length: 6, held: 0 },
        {
          type: 'StreakExtended',
          at: NOW,
          length: 7,
          period: DAY,
          after: { startedOn: DAY - 7, expiresOn: DAY + 1, held: 0 },
        },
        { type: 'StreakStarted', at: NOW, length: 1, period: DAY, after: { startedOn: DAY, expiresOn: DAY, held: 1 } },
        { type: 'FreezeEarned', earned: 1, held: 2, earnedAt: NOW },
        { type: 'FreezeEarned', earned: 1, held: 2, earnedAt: NOW - 1 },
      ]),
    ).toBe('[["used",6,-1,-9,1],["extended",7,0,0,1,-7,1],["started",0,0,2],["earned",1,2,1],["earned",1,2,-1]]');
  });

  it('holds reminders with the missing amounts', () => {
    const atRisk = {
      type: 'StreakAtRisk',
      at: NOW - 1,
      period: DAY,
      length: 3,
      startedOn: DAY - 3,
      extendedAt: NOW - 2,
      expiresAt: NOW + 3,
      expiresOn: DAY,
      held: 0,
    } as const;
    expect(encode([{ ...atRisk, missing: [{ metric: 'commits', amount: 500_000 }] }])).toBe(
      '[["at risk",3,0,-1,-3,-2,3,0,0,"commits","0.5"]]',
    );
    expect(encode([{ ...atRisk, missing: [] }])).toBe('[["at risk",3,0,-1,-3,-2,3]]');
  });
});

describe('the column of achievements', () => {
  it('holds the number of each completed achievement, negative if it was revoked', () => {
    const { encode, decode } = boundTo('achievements');
    const caused: readonly AchievementEffect[] = [
      { type: 'AchievementCompleted', achievement: '10', at: NOW },
      { type: 'AchievementRevoked', achievement: 'first', at: NOW },
    ];
    expect(encode([...OTHERS, ...caused])).toBe('[3,-1]');
    expect(decode('[3,-1]')).toEqual(caused);
    expect(encode(OTHERS)).toBeNull();
  });
});

describe('an effect column', () => {
  it('refuses numbers and effect types that this process does not know', () => {
    expect(() => boundTo('achievements').decode('[9]')).toThrow(RangeError);
    expect(() => boundTo('streaks').decode('[["renamed",1]]')).toThrow(RangeError);
  });
});

function boundTo(area: keyof typeof EFFECT_COLUMNS) {
  const column = EFFECT_COLUMNS[area];
  return {
    encode: (effects: readonly Effect[]) => column.encode(effects, EVENT, names),
    decode: (stored: string) => column.decode(stored, EVENT, names),
  };
}
