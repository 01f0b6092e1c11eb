import {
  ACTIVITY_STATUSES,
  BUILT_IN_TRIGGERS,
  POINTS_TRIGGER_TYPES,
  pointsTriggerKind,
  type AnsweredPointsTrigger,
} from '@laurel/kernel';
import { z } from 'zod';
import { pointsBoost } from './boosts.ts';
import { conditionFields } from './conditions-answer.ts';
import { answerFields } from './declared-answer.ts';
import { count, date, instant, jsonWhole, nullableText, uuid } from './fields.ts';
import { named } from './named-object.ts';

/** A points trigger; which of the optional fields it has depends on its type (specification, section 8). */
export const trigger = named('Trigger', 'A points trigger. Which optional fields it has depends on its `type`.', {
  id: uuid.meta({
    description: 'Stays the same however triggers are reordered. Types grant and correction: the award’s id.',
  }),
  type: z.enum([...POINTS_TRIGGER_TYPES, ...BUILT_IN_TRIGGERS]).meta({
    description:
      'What makes it fire. `grant`: nothing did, the award was given by hand; `correction`: it makes up for events that were corrected. Both only in awards.',
  }),
  points: jsonWhole.meta({
    description: 'What it gives each time it fires; negative: what it takes. Type grant: what was given.',
    examples: [10],
  }),
  status: z.enum(ACTIVITY_STATUSES).meta({
    description:
      'Whether it fires: `inactive` outside of `activeFrom` and `activeUntil`. Of an award in the answer to an event: at its date, otherwise now.',
  }),
  ...answerFields<AnsweredPointsTrigger>(POINTS_TRIGGER_TYPES.map(pointsTriggerKind)),
  ...conditionFields,
  created: instant.meta({ description: 'Instant of its publication; of a grant, its own.' }),
  updated: instant.meta({ description: 'The same as `created`.' }),
});
export type TriggerAnswer = z.infer<typeof trigger>;

export const award = named('Award', 'One change of a user’s points.', {
  id: uuid.meta({ description: 'Derived from what caused the award.' }),
  awarded: jsonWhole.meta({
    description: 'Points given, after the cut to the remaining room; negative: points taken.',
    examples: [10],
  }),
  date: instant.meta({ description: 'Instant of the event, or at which a time award fell due.' }),
  total: jsonWhole.meta({ description: 'The user’s total after it.', examples: [150] }),
  trigger: trigger.nullable().meta({ description: 'The trigger that gave it, even if it has been removed since.' }),
  boosts: z
    .array(pointsBoost)
    .optional()
    .meta({ description: 'Only if boosts multiplied it: those boosts, in order.' }),
});
export type AwardAnswer = z.infer<typeof award>;

export const level = named('PointsLevel', 'A level of a points system.', {
  id: uuid.meta({ description: 'Id of the level.' }),
  key: z.string().meta({ description: 'Key of the level within its points system.', examples: ['silver'] }),
  name: z.string().meta({ description: 'Name to show.', examples: ['Silver'] }),
  description: z.string().meta({ description: 'Description to show; empty if there is none.' }),
  badgeUrl: nullableText.meta({ description: 'Address of a picture; null if there is none.' }),
  points: jsonWhole.meta({
    description: 'The total, or with `levelsBy: earned` the points earned, at which the level begins.',
    examples: [100],
  }),
});
export type LevelAnswer = z.infer<typeof level>;

/** Beside a total, in a system whose levels follow it. */
export const earned = jsonWhole.optional().meta({
  description:
    'Only with `levelsBy: earned`: the sum of the points that triggers and grants have given the user. Levels follow it.',
  examples: [400],
});

const systemFields = {
  id: uuid.meta({ description: 'Id of the points system.' }),
  key: z.string().meta({ description: 'Key of the points system.', examples: ['xp'] }),
  name: z.string().meta({ description: 'Name to show.', examples: ['Experience'] }),
  description: nullableText.meta({ description: 'Description to show; null if there is none.' }),
  badgeUrl: nullableText.meta({ description: 'Address of a picture; null if there is none.' }),
  maxPoints: jsonWhole.nullable().meta({ description: 'No user’s total goes beyond this; null: there is no cap.' }),
};

/** `GET /v1/points/{key}`. */
export const pointsSystem = named('PointsSystem', 'A points system.', {
  ...systemFields,
  triggers: z.array(trigger).meta({ description: 'Its triggers, in configuration order.' }),
});
export type PointsSystemAnswer = z.infer<typeof pointsSystem>;

/** A system in an event's answer; `level` only if the event changed it. */
export const eventPoints = named('EventPoints', 'A points system in which an event fired a trigger.', {
  ...systemFields,
  total: jsonWhole.meta({ description: 'The user’s total after the event.', examples: [150] }),
  added: jsonWhole.meta({ description: 'Sum of `awards`; may be negative.', examples: [10] }),
  level: level
    .nullable()
    .optional()
    .meta({ description: 'Only if the event changed it: the new level; null below all levels.' }),
  awards: z.array(award).meta({ description: 'What the event itself gave or took, without time awards.' }),
});
export type EventPoints = z.infer<typeof eventPoints>;

/** `GET /v1/users/{id}/points/{key}`. */
export const userPoints = named('UserPoints', 'A user’s points in one system.', {
  ...systemFields,
  total: jsonWhole.meta({
    description: 'The user’s current total, including time awards that are due.',
    examples: [150],
  }),
  earned,
  level: level.nullable().meta({ description: 'The user’s level; null below all levels.' }),
  awards: z.array(award).meta({ description: 'The newest awards, newest recorded first.' }),
});
export type UserPoints = z.infer<typeof userPoints>;

/** An element of `GET /v1/users/{id}/points/{key}/event-summary`. */
export const pointsBucket = named('PointsBucket', 'A user’s points in one day, week or month.', {
  date: date.meta({ description: 'First date of the period, or `start_date` if that is later.' }),
  total: jsonWhole.meta({ description: 'The user’s total at the end of the period.', examples: [150] }),
  change: jsonWhole.meta({ description: 'Sum of the awards within the period; may be negative.', examples: [10] }),
});
export type PointsBucketAnswer = z.infer<typeof pointsBucket>;

/** An element of `GET /v1/points/{key}/level-summary`. */
export const levelUsers = named('LevelUsers', 'Number of users on a level.', {
  level: level.meta({ description: 'The level.' }),
  users: count.meta({ description: 'Number of users on this level, by recorded points.', examples: [12] }),
});
export type LevelUsersAnswer = z.infer<typeof levelUsers>;

/** An element of `GET /v1/points/{key}/summary`. */
export const pointsRange = named('PointsRange', 'Number of users in a range of points.', {
  from: jsonWhole.meta({ description: 'Lowest total of the range.', examples: [101] }),
  to: jsonWhole.meta({ description: 'Highest total of the range, inclusive.', examples: [200] }),
  users: count.meta({ description: 'Number of users whose recorded total is in the range.', examples: [12] }),
});
export type PointsRangeAnswer = z.infer<typeof pointsRange>;
