import type { OutcomeField, OutcomeFields } from './outcome-kind.ts';

/** Fields that several types of outcomes have. */

export const user = {
  holds: 'user',
  prose: 'The user, as they were when the outcome was made.',
} as const satisfies OutcomeField;

export const achievementFields = {
  user,
  achievement: { holds: 'achievement', prose: 'The achievement, with when it was completed.' },
} as const satisfies OutcomeFields;

export const streakFields = {
  user,
  streak: { holds: 'streak', prose: 'The streak after the event. Its period is the one that was met.' },
} as const satisfies OutcomeFields;

export const atRiskFields = {
  user,
  streak: { holds: 'streak', prose: 'The streak that is at risk.' },
  expiresAt: { holds: 'instant', prose: 'When it ends, or a freeze is used, unless the period is met before.' },
  missing: { holds: 'missing amounts', prose: 'The conditions of the streak, in the order of the configuration.' },
} as const satisfies OutcomeFields;

export const spendFields = {
  user,
  eventId: {
    holds: 'text',
    prose: 'The id of the spend, by which it is refunded.',
    example: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a',
  },
  amount: { holds: 'whole', least: 1, prose: 'The points spent.', example: 120 },
  points: { holds: 'points', prose: 'The system with the total after it, as in `points.changed`.' },
  reason: { holds: 'text', nullable: true, prose: 'The reason that the spend gave.', example: 'A hat' },
  reference: {
    holds: 'text',
    nullable: true,
    prose: 'The shop’s own name for the purchase.',
    example: 'order-4711',
  },
} as const satisfies OutcomeFields;

/** A boost of a points system concerns no single user. */
export const boostFields = {
  user: {
    holds: 'user',
    optional: true,
    prose: 'The user who was given the boost; absent if it applies to all users.',
  },
  boost: { holds: 'boost', prose: 'The boost, with its points system.' },
} as const satisfies OutcomeFields;

export const runFields = {
  leaderboard: { holds: 'rankings', prose: 'The leaderboard with the first 100 rankings of the run.' },
} as const satisfies OutcomeFields;

export const place = {
  holds: 'place',
  prose: 'The leaderboard with the user’s rank and value after it.',
} as const satisfies OutcomeField;

/** Outcomes made by earlier releases lack them. */
export const finalRunFields = {
  finalRuns: {
    holds: 'final runs',
    optional: true,
    prose:
      'The runs that changed after they were final, newest first, at most 100: read them again. `leaderboard.finished` is not sent again. Absent if an earlier release made the outcome.',
  },
  finalRunsLeftOut: {
    holds: 'whole',
    least: 0,
    optional: true,
    prose: 'How many more such runs there are.',
    example: 0,
  },
} as const satisfies OutcomeFields;
