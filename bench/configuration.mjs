/** Three metrics, a streak, achievements of each kind, two points systems, three boards: what an event has to settle. */
export const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: words, name: Words }, { key: hints, name: Hints }]
streak: { frequency: daily, mode: any, conditions: [{ metric: lessons, threshold: 1 }, { metric: words, threshold: 50 }] }
achievements:
  - { key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }
  - { key: hundred, name: Hundred, trigger: { type: metric, metric: lessons, value: 100 } }
  - { key: week, name: Week, trigger: { type: streak, length: 7 } }
  - { key: both, name: Both, trigger: { type: achievement, achievements: [hundred, week] } }
points:
  - key: xp
    name: XP
    triggers:
      - { type: user_creation, points: 100 }
      - { type: metric, metric: lessons, threshold: 1, points: 10 }
      - { type: metric, metric: words, threshold: 100, points: 5 }
      - { type: streak, length: 7, points: 50 }
    levels: [{ key: a, name: A, points: 100 }, { key: b, name: B, points: 1000 }]
  - key: energy
    name: Energy
    maxPoints: 20
    triggers:
      - { type: user_creation, points: 20 }
      - { type: time, unit: hour, interval: 4, points: 1 }
      - { type: metric, metric: hints, threshold: 1, points: -5 }
leaderboards:
  - { key: all-time, name: All time, rankBy: metric, metric: lessons, start: 2020-01-01 }
  - { key: monthly, name: Monthly, rankBy: metric, metric: lessons, start: 2020-01-01, runUnit: month, runInterval: 1 }
  - { key: weekly-xp, name: Weekly XP, rankBy: points, pointsSystem: xp, start: 2020-01-06, runUnit: day, runInterval: 7 }
`;
