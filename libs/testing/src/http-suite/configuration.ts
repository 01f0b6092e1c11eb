/**
 * The configuration document for a server that is tested by the suite. The server must have been started with it before
 * its first event.
 */
export const HTTP_SUITE_CONFIGURATION = `# Configuration of the HTTP suite: every kind of trigger and board, a streak with all conditions and freezes.
version: 1
metrics:
  - { key: lessons, name: Lessons }
  - { key: reviews, name: Reviews }
  - { key: words, name: Words }
  - { key: spent, name: Energy spent }
streak:
  frequency: daily
  mode: all
  conditions:
    - { metric: lessons, threshold: 1 }
    - { metric: reviews, threshold: 1.5 }
  freezes: { initial: 1, max: 3, earnEvery: 30, earn: 1 }
achievements:
  - key: first-lesson
    name: First lesson
    description: The first of many.
    badgeUrl: https://example.org/first.png
    trigger: { type: metric, metric: lessons, value: 1 }
  - { key: ten-lessons, name: Ten lessons, trigger: { type: metric, metric: lessons, value: 10 } }
  - { key: on-fire, name: On fire, trigger: { type: streak, length: 1 } }
  - { key: double, name: Double, trigger: { type: achievement, achievements: [first-lesson, on-fire] } }
  - { key: profile, name: Profile complete, trigger: { type: api } }
  - { key: settled, name: Settled, trigger: { type: achievement, achievements: [profile, first-lesson] } }
  - { key: at-home, name: At home, trigger: { type: achievement, achievements: [settled] } }
  - key: radio-gold
    name: Three words for a member
    hidden: true
    where: { event: { course: radio }, user: { member: gold } }
    trigger: { type: metric, metric: words, value: 3 }
  - { key: wordy-gold, name: Nine words, hidden: true, where: { user: { member: gold } }, trigger: { type: metric, metric: words, value: 9 } }
  - { key: lasting-gold, name: Lasting, hidden: true, where: { user: { member: gold } }, trigger: { type: streak, length: 1 } }
  - { key: whole-gold, name: Whole, hidden: true, trigger: { type: achievement, achievements: [wordy-gold, lasting-gold] } }
points:
  - key: xp
    name: Experience
    description: What you have learnt.
    badgeUrl: https://example.org/xp.png
    triggers:
      - { type: metric, metric: lessons, threshold: 1, points: 10 }
      - { type: streak, length: 1, points: 5 }
      - { type: achievement, achievement: ten-lessons, points: 50 }
      - { type: achievement, achievement: at-home, points: 7 }
    levels:
      - { key: bronze, name: Bronze, description: A beginning., points: 10 }
      - { key: silver, name: Silver, points: 100 }
  - key: energy
    name: Energy
    maxPoints: 20
    triggers:
      - { type: user_creation, points: 20 }
      - { type: time, unit: hour, interval: 4, points: 1 }
      - { type: metric, metric: spent, threshold: 1, points: -5 }
  - key: capped
    name: Capped
    maxPoints: 25
    triggers:
      - { type: metric, metric: words, threshold: 10, points: 10 }
      - { type: metric, metric: words, threshold: 1, points: 1, where: { event: { course: radio }, user: { plan: pro } } }
leaderboards:
  - { key: lessons-all, name: All lessons, description: Of all time., rankBy: metric, metric: lessons, start: 2020-01-01, maxParticipants: 1000000 }
  - { key: words-all, name: All words, rankBy: metric, metric: words, start: 2020-01-01, maxParticipants: 1000000 }
  - { key: words-daily, name: Words today, rankBy: metric, metric: words, start: 2020-01-01, runUnit: day, runInterval: 1, maxParticipants: 1000000 }
  - { key: xp-monthly, name: XP this month, rankBy: points, pointsSystem: xp, start: 2020-01-01, runUnit: month, runInterval: 1, maxParticipants: 1000000 }
  - { key: streaks, name: Streaks, rankBy: streak, start: 2020-01-01, maxParticipants: 1000000 }
  - { key: season, name: Season of 2020, rankBy: metric, metric: words, start: 2020-01-01, end: 2020-12-31, runUnit: month, runInterval: 5, maxParticipants: 1000000 }
  - { key: future, name: Far ahead, rankBy: metric, metric: words, start: 2999-01-01 }
  - { key: podium, name: Podium, rankBy: metric, metric: spent, start: 2020-01-01, maxParticipants: 1 }
`;
