/**
 * The configuration of `npm start` if none is given: a small study app in which the first event already shows an achievement, a streak,
 * points with a level, and ranks.
 */
export const DEMO_CONFIGURATION = `# A study app. docs/specification.md, section 9, lists every field.
version: 1

# What learners do. A client posts an event to /api/metrics/lessons/event for each finished lesson.
metrics:
  - key: lessons
    name: Lessons finished
  - key: words
    name: Words learned

# A day counts with one lesson or ten words; a day missed is bridged by a freeze, if one is left.
streak:
  frequency: daily
  mode: any
  conditions:
    - { metric: lessons, threshold: 1 }
    - { metric: words, threshold: 10 }
  freezes: { initial: 1, max: 2, earnEvery: 7, earn: 1 }

achievements:
  - key: first-lesson
    name: First lesson
    description: The first of many.
    trigger: { type: metric, metric: lessons, value: 1 }
  - key: bookworm
    name: Bookworm
    description: 500 words learned.
    trigger: { type: metric, metric: words, value: 500 }
  - key: week-of-study
    name: A week of study
    description: Seven days in a row.
    trigger: { type: streak, length: 7 }
  # Complete as soon as all that it names are.
  - key: scholar
    name: Scholar
    description: Bookworm, and a week of study.
    trigger: { type: achievement, achievements: [bookworm, week-of-study] }
  # Completed by a call: POST /v1/achievements/profile/complete
  - key: profile
    name: Profile complete
    trigger: { type: api }

points:
  - key: xp
    name: Experience
    triggers:
      - { type: metric, metric: lessons, threshold: 1, points: 10 }
      - { type: metric, metric: words, threshold: 10, points: 1 }
      - { type: streak, length: 7, points: 50 }
      - { type: achievement, achievement: scholar, points: 200 }
    levels:
      - { key: beginner, name: Beginner, points: 10 }
      - { key: learner, name: Learner, points: 100 }
      - { key: expert, name: Expert, points: 1000 }

  # Begins full, a lesson takes one, and one comes back every four hours.
  - key: energy
    name: Energy
    maxPoints: 5
    triggers:
      - { type: user_creation, points: 5 }
      - { type: metric, metric: lessons, threshold: 1, points: -1 }
      - { type: time, unit: hour, interval: 4, points: 1 }

leaderboards:
  - key: all-time
    name: Most lessons of all time
    rankBy: metric
    metric: lessons
    start: 2024-01-01
  # A new run every seven days from the first date, a Monday.
  - key: weekly
    name: Most experience this week
    rankBy: points
    pointsSystem: xp
    start: 2024-01-01
    runUnit: day
    runInterval: 7
    maxParticipants: 100
`;
