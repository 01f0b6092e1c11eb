import { z } from 'zod';
import { AWARD_CUTS, BUILT_IN_TRIGGERS, POINTS_TRIGGER_TYPES, TRIGGER_MISSES, type TriggerMiss } from '@laurel/kernel';
import { pointsBoost } from './boosts.ts';
import { causingEvent, preparing, version } from './explain.ts';
import { date, instant, jsonNumber, jsonWhole, nextCursor } from './fields.ts';
import { named } from './named-object.ts';
import { pointsSystemFields } from './points-system-key.ts';
import { earned, trigger } from './points.ts';

export const explainedAward = named('ExplainedAward', 'A trigger that fired, and what it gave.', {
  at: instant.meta({ description: 'Instant of the event, or at which the time award fell due.' }),
  date: date.meta({ description: 'The date of `at` on the user’s clock then in force.' }),
  zone: z.string().meta({ description: 'The time zone of that clock.', examples: ['Europe/Berlin'] }),
  event: causingEvent.meta({ description: 'The event, or the sweep, with which it was recorded.' }),
  type: z
    .enum([...POINTS_TRIGGER_TYPES, ...BUILT_IN_TRIGGERS])
    .nullable()
    .meta({ description: 'What gave the points: a trigger of this type, or a grant.' }),
  trigger: trigger
    .nullable()
    .meta({ description: 'The trigger that fired, even if it has been removed since; null: it was a grant.' }),
  times: jsonWhole.nullable().meta({ description: 'How often it fired; null: see `complete`.', examples: [2] }),
  nominal: jsonWhole.nullable().meta({
    description: '`times` × the trigger’s points: what it would have given; null: see `complete`.',
    examples: [20],
  }),
  boosts: z
    .array(pointsBoost)
    .optional()
    .meta({ description: 'Only if boosts multiplied it: those boosts, in order.' }),
  boosted: jsonWhole
    .nullable()
    .optional()
    .meta({
      description: 'Only with `boosts`: `nominal` times their multipliers, rounded once; null: see `complete`.',
      examples: [30],
    }),
  change: jsonWhole.meta({ description: 'Points given; negative: points taken.', examples: [15] }),
  cutBy: z.enum(AWARD_CUTS).nullable().meta({
    description:
      'What cut `nominal`, or `boosted`, to `change`, the last of several: the cap of the trigger or of its points system, `maxPoints` (`cap`), or that no total is below zero. null: nothing.',
  }),
  total: jsonWhole.meta({ description: 'The user’s total after it.', examples: [340] }),
  version,
});
export type ExplainedAwardAnswer = z.infer<typeof explainedAward>;

/** `GET /admin/v1/users/{id}/explain/points/{key}`. */
export const explainedPoints = named('ExplainedPoints', 'Why a user has so many points.', {
  ...pointsSystemFields,
  total: jsonWhole.meta({ description: 'The user’s total as of now: `recorded` + `due`.', examples: [340] }),
  earned,
  levelsBy: z.literal('earned').optional().meta({
    description: 'Only if the level follows `earned`; otherwise it follows `total`.',
  }),
  level: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Only with `levelsBy`: key of the level that `earned` reaches; null: below all levels.' }),
  recorded: jsonWhole.meta({ description: 'The sum of the changes of all entries, on all pages.', examples: [340] }),
  due: jsonWhole.meta({
    description: 'Time awards that have fallen due and are not recorded yet: the next event or sweep records them.',
    examples: [0],
  }),
  complete: z.boolean().meta({
    description:
      'true: the user’s events were applied again, and every firing is an entry, also one that gave nothing. false: the user has more than 500 events, or 5,000 effects on points, and they are not applied yet; entries are stored awards, and `times`, `nominal` and `cutBy` are null.',
  }),
  preparing,
  entries: z
    .array(explainedAward)
    .meta({ description: 'Newest first. There may be fewer than `limit`: only `next` says whether others follow.' }),
  next: nextCursor,
});
export type ExplainedPointsAnswer = z.infer<typeof explainedPoints>;

const missedTrigger = named('MissedTrigger', 'A trigger that gave nothing with an event, and why.', {
  trigger: trigger.nullable().meta({ description: 'The trigger, even if it has been removed since.' }),
  why: z.enum(Object.keys(TRIGGER_MISSES) as TriggerMiss[]).meta({
    description: Object.entries(TRIGGER_MISSES)
      .map(([reason, { means }]) => `\`${reason}\`: ${means}.`)
      .join(' '),
  }),
  missing: jsonNumber.nullable().meta({
    description:
      'Of `below_threshold` how much of the metric, of `streak_length` how many periods are missing; null: of others.',
    examples: [2],
  }),
});

/** `GET /admin/v1/users/{id}/explain/points/{key}/events/{eventId}`. */
export const explainedPointsOfEvent = named(
  'ExplainedPointsOfEvent',
  'Why an event gave a user so many points, or none.',
  {
    ...pointsSystemFields,
    event: causingEvent,
    version,
    complete: z.boolean().meta({
      description:
        'true: the user’s events were applied again. false: the user has many events, and they are not applied yet; `fired` are stored awards, and `missed` is null.',
    }),
    preparing,
    change: jsonWhole.meta({ description: 'What the event gave: the sum of `fired`.', examples: [0] }),
    fired: z
      .array(explainedAward)
      .meta({ description: 'Triggers that fired, in their order, including those cut to nothing.' }),
    missed: z
      .array(missedTrigger)
      .nullable()
      .meta({ description: 'Triggers of that version that did not fire; null: see `complete`.' }),
  },
);
export type ExplainedPointsOfEventAnswer = z.infer<typeof explainedPointsOfEvent>;
