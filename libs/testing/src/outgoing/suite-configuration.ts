import type { Asked } from './recount.ts';

/** The first configuration of the webhook suites, without `outgoing`. `recount` knows its boards and freezes. */
export const suiteConfiguration = (firstDay: string): string => `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: words, name: Words }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }], freezes: { initial: 1, max: 2, earnEvery: 2, earn: 1 } }
achievements:
  - { key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }
  - { key: twenty, name: Twenty, trigger: { type: metric, metric: words, value: 20 } }
  - { key: three-days, name: Three days, trigger: { type: streak, length: 3 } }
points:
  - key: xp
    name: XP
    triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }, { type: streak, length: 1, points: 5 }]
    levels: [{ key: bronze, name: Bronze, points: 10 }, { key: silver, name: Silver, points: 60 }]
  - key: energy
    name: Energy
    maxPoints: 20
    triggers: [{ type: user_creation, points: 20 }, { type: time, unit: hour, interval: 4, points: 1 }, { type: metric, metric: words, threshold: 1, points: -3 }]
leaderboards:
  - { key: words, name: Words, rankBy: metric, metric: words, start: 2020-01-01 }
  - { key: days, name: Days, rankBy: metric, metric: words, start: ${firstDay}, runUnit: day, runInterval: 1 }
`;

/** @param firstDay first date of the daily board @param announceTop the setting of the configuration */
export const suiteAsks = (firstDay: string, announceTop: number): Asked => ({
  announceTop,
  boards: [
    { key: 'words', metric: 'words' },
    { key: 'days', metric: 'words', daily: firstDay },
  ],
  freezes: { initial: 1, max: 2, earnEveryDays: 2 },
  knownVersion: 1,
});
