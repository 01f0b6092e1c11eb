/** A document with every field, every kind of trigger and every kind of board. */
export const COMPLETE_DOCUMENT = `
version: 1
metrics:
  - { key: runs, name: Runs }
  - { key: km, name: Kilometres }
streak:
  frequency: weekly
  mode: all
  weekStart: sunday
  conditions:
    - { metric: runs, threshold: 2 }
    - { metric: km, threshold: 7.5 }
  freezes: { initial: 1, max: 3, earnEvery: 14, earn: 1 }
achievements:
  - key: first-run
    name: First run
    description: Out of the door.
    badgeUrl: https://badges.example/first.png
    group: running
    tier: 1
    hidden: true
    activeFrom: 2026-01-01T00:00:00Z
    activeUntil: 2027-01-01T00:00:00Z
    trigger: { type: metric, metric: runs, value: 1 }
  - { key: month, name: A month, trigger: { type: streak, length: 4 } }
  - { key: member, name: Member, trigger: { type: api } }
  - { key: complete, name: Complete, trigger: { type: achievement, achievements: [month, member] } }
points:
  - key: xp
    name: Experience
    description: What you have done.
    badgeUrl: https://badges.example/xp.png
    maxPoints: 100000
    caps: [{ per: month, points: 5000 }, { per: day, points: 500 }]
    triggers:
      - { type: metric, metric: km, threshold: 0.5, points: 1, cap: { per: week, points: 200 }, activeFrom: 2026-02-01T00:00:00Z }
      - { type: streak, length: 4, points: 40 }
      - { type: achievement, achievement: complete, points: 500 }
      - { type: user_creation, points: 10 }
      - { type: time, unit: day, interval: 7, points: 2, activeFrom: 2026-03-01T00:00:00Z }
      - { key: rest, type: time, unit: hour, interval: 12, points: -1, activeUntil: 2028-01-01T00:00:00Z }
    levels:
      - { key: gold, name: Gold, description: D, badgeUrl: http://badges.example/gold.png, points: 1000 }
      - { key: bronze, name: Bronze, points: 0 }
    levelsBy: earned
    boosts:
      - { key: weekend, name: Weekend, multiplier: 1.5, rounding: nearest, start: 2026-03-07T00:00:00Z, end: 2026-03-09T00:00:00Z }
      - { key: always, name: Always, multiplier: 2, start: 2026-03-01T00:00:00Z }
leaderboards:
  - { key: far, name: Farthest, description: All time, rankBy: metric, metric: km, start: 2026-01-01, end: 2030-12-31 }
  - { key: xp, name: XP, rankBy: points, pointsSystem: xp, start: 2026-01-31, runUnit: month, runInterval: 1, maxParticipants: 50 }
  - { key: steady, name: Steady, rankBy: streak, start: 2026-01-01 }
outgoing:
  events: [achievement.completed, streak.lost]
  keep: 48h
  atRisk:
    at: '18:30'
  announceTop: 25
  recap:
    day: sunday
    at: '08:00'
  reactivation:
    days: [2, 14]
`;
