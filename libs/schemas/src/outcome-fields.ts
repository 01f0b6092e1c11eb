import { z } from 'zod';
import type { OutcomeField } from '@laurel/kernel';
import { achievement } from './achievement.ts';
import { count, date, instant, jsonNumber, jsonWhole, uuid, whole } from './fields.ts';
import { leaderboard, userLeaderboard } from './leaderboard.ts';
import { outcomeBoost } from './boosts.ts';
import { eventPoints, level } from './points.ts';
import { userStreak } from './streak.ts';
import { named } from './named-object.ts';
import { user } from './user.ts';

const correction = named('OutcomeCorrection', 'What was corrected of one event.', {
  eventId: uuid.meta({ description: 'The event that now counts differently.' }),
  retracted: z.boolean().meta({ description: 'Whether the event no longer counts.' }),
  value: jsonNumber.optional().meta({ description: 'Only if it was changed: the value with which it counts.' }),
  timestamp: instant.optional().meta({ description: 'Only if it was changed: the instant at which it counts.' }),
  tz: z
    .string()
    .optional()
    .meta({ description: 'Only if it was changed: the user’s clock from this event on.', examples: ['Europe/Berlin'] }),
});

const changedFinalRun = named('ChangedFinalRun', 'A run that changed after it was final.', {
  leaderboard: z.string().meta({ description: 'Key of the leaderboard.', examples: ['weekly'] }),
  run: date.meta({ description: 'First date of the run.' }),
  runEnd: date.meta({ description: 'Last date of the run.' }),
});

const missing = named('OutcomeMissing', 'What is missing to meet a condition of the streak.', {
  metric: z.string().meta({ description: 'The key of the metric.', examples: ['commits'] }),
  missing: jsonNumber.meta({ description: 'What is missing in the period; 0: the condition is met.', examples: [1] }),
});

const recap = named('OutcomeRecap', 'What a user did in a week.', {
  periodStart: date.meta({ description: 'First date of the week.' }),
  periodEnd: date.meta({ description: 'Last date of the week.' }),
  totals: z.record(z.string(), jsonNumber).meta({
    description: 'The sum of the values of these dates by metric; a metric without an event is absent.',
    examples: [{ commits: 12 }],
  }),
  points: z.record(z.string(), jsonWhole).meta({
    description: 'The total of each points system when the outcome was made.',
    examples: [{ xp: 120 }],
  }),
  streakLength: count.meta({
    description: 'The length of the streak when the outcome was made; 0: none is alive.',
    examples: [5],
  }),
});

const reactivation = named('OutcomeReactivation', 'A reminder to a user without recent events.', {
  messageNumber: whole.min(1).meta({ description: '1: the first since the last event.', examples: [1] }),
  daysSinceLastActive: whole.min(1).meta({ description: 'Days of 24 hours since the last event.', examples: [3] }),
});

const endpoint = z.object({
  id: uuid.meta({ description: 'Of the webhook.' }),
  origin: z.string().meta({
    description: 'Scheme, host and port of its URL; its path may be a secret.',
    examples: ['https://example.com'],
  }),
});

const failure = z.object({
  status: whole.nullable().meta({ description: 'Status of the answer; null: there was none.' }),
  error: z.string().meta({
    description: 'What kind of failure it was; it names no address.',
    examples: ['was answered with 410'],
  }),
});

/** Schemas by the kind of value that a field holds. */
const HELD = {
  user,
  achievement,
  /** The streak of a read, without the fields about the read's own instant. */
  streak: userStreak
    .omit({ streakHistory: true, pauses: true })
    .meta({ id: 'OutcomeStreak', description: 'A streak that is alive, as an event left it.' }),
  'missing amounts': z.array(missing),
  recap,
  reactivation,
  points: eventPoints,
  boost: outcomeBoost,
  level,
  place: userLeaderboard
    .omit({ history: true, changedAt: true })
    .meta({ id: 'OutcomeLeaderboard', description: 'A user’s place on a leaderboard in one run, after an event.' }),
  rankings: leaderboard
    .omit({ status: true, changedAt: true })
    .meta({ id: 'OutcomeRankings', description: 'A leaderboard with the first rankings of one run, after an event.' }),
  corrections: z.array(correction),
  'final runs': z.array(changedFinalRun).max(100),
  endpoint,
  failure,
  instant,
  amount: jsonNumber,
  whole,
  text: z.string(),
  'other user': z.string(),
} as const satisfies Record<OutcomeField['holds'], z.ZodType>;

/** The names under which `/openapi.json` shows objects that one field has. */
const NAMES: Readonly<Partial<Record<OutcomeField['holds'], string>>> = {
  endpoint: 'DisabledEndpoint',
  failure: 'LastFailure',
};

type Held<Field extends OutcomeField> = (typeof HELD)[Field['holds']];
type Nullable<Field extends OutcomeField> = Field extends { readonly nullable: true }
  ? z.ZodNullable<Held<Field>>
  : Held<Field>;
export type FieldSchema<Field extends OutcomeField> = Field extends { readonly optional: true }
  ? z.ZodOptional<Nullable<Field>>
  : Nullable<Field>;

export function outcomeFieldSchema(field: OutcomeField): z.ZodType {
  const { holds, prose: description } = field;
  const held: z.ZodType = holds === 'whole' && field.least !== undefined ? HELD.whole.min(field.least) : HELD[holds];
  const nullable = field.nullable ? held.nullable() : held;
  const id = NAMES[holds];
  const examples = 'example' in field ? [field.example] : undefined;
  return (field.optional ? nullable.optional() : nullable).meta({
    ...(id !== undefined && { id }),
    description,
    ...(examples && { examples }),
  });
}
