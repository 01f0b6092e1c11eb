import { z } from 'zod';
import { DOMAIN_EVENT_TYPES } from '@laurel/kernel';
import { pointsBoost } from './boosts.ts';
import { date, instant, jsonNumber, jsonWhole, nullableText, userIdUnlessErased, whole } from './fields.ts';
import { named } from './named-object.ts';

/** `GET /admin/v1/export/…` (specification, section 9.15): the rows as JSON; in CSV, the fields are the columns, in this order. */

export const exportedEvent = named('ExportedEvent', 'A metric event, in the order of recording.', {
  id: z.uuid().meta({ description: 'Of the event.' }),
  timestamp: instant.meta({ description: 'The instant of the event.' }),
  recordedAt: instant.meta({ description: 'When it was recorded: later than `timestamp` if it was imported.' }),
  userId: userIdUnlessErased,
  metric: z.string().meta({ description: 'Key of the metric.', examples: ['lessons'] }),
  value: jsonNumber.meta({ description: 'The value as it was sent.', examples: [2.5] }),
  attributes: z
    .record(z.string(), z.string())
    .meta({ description: 'The event’s attributes; in CSV as JSON.', examples: [{ course: 'go' }] }),
  imported: z.boolean().meta({ description: 'Whether the caller sent the instant, as imports do.' }),
  configurationVersion: whole.meta({ description: 'The version in force when it was recorded.' }),
});
export type ExportedEvent = z.infer<typeof exportedEvent>;

export const exportedAward = named('ExportedAward', 'A recorded award of points, user by user in their order.', {
  id: z.uuid().nullable().meta({ description: 'Of the award; null: a time award of a user who was erased.' }),
  at: instant.meta({ description: 'When it was given, or fell due.' }),
  date: date.meta({ description: 'That date on the user’s clock.' }),
  userId: userIdUnlessErased,
  points: z.string().meta({ description: 'Key of the points system.', examples: ['xp'] }),
  triggerId: z.string().meta({ description: 'The trigger that gave it; `grant`: it was given by hand.' }),
  awarded: jsonWhole.meta({ description: 'Points given; negative: points taken.', examples: [10] }),
  total: jsonWhole.meta({ description: 'The user’s total after it.', examples: [340] }),
  boosts: z
    .array(pointsBoost)
    .optional()
    .meta({ description: 'Only if boosts multiplied it: those boosts, in order. Not in CSV.' }),
});
export type ExportedAward = z.infer<typeof exportedAward>;

const place = {
  leaderboard: z.string().meta({ description: 'Key of the leaderboard.', examples: ['weekly'] }),
  run: date.meta({ description: 'First date of the run.' }),
  runEnd: date.nullable().meta({ description: 'Last date of the run; null: it has none.' }),
  rank: whole.meta({ description: 'The rank, from 1.' }),
  userId: userIdUnlessErased,
};
const reached = {
  value: jsonNumber.meta({ description: 'The value that the user is ranked by.', examples: [12.5] }),
  reachedAt: instant.meta({
    description: 'When the value was reached: of two equal values, the earlier one ranks first.',
  }),
};

export const exportedRanking = named('ExportedRanking', 'A ranked row of a run.', { ...place, ...reached });
export type ExportedRanking = z.infer<typeof exportedRanking>;

export const exportedWinner = named('ExportedWinner', 'A row of a final run, with the user’s contact details.', {
  ...place,
  name: nullableText.meta({ description: 'Name to show; null: none.', examples: ['Ada'] }),
  email: nullableText.meta({ description: 'E-mail address; null: none.', examples: ['ada@example.org'] }),
  ...reached,
  changedAt: instant
    .nullable()
    .meta({ description: 'When the run last changed after it was final; null: it has not.' }),
});
export type ExportedWinner = z.infer<typeof exportedWinner>;

/** `GET /admin/v1/events`. */
export const loggedEvent = named('LoggedEvent', 'An event of the log.', {
  id: z.uuid().meta({ description: 'Of the event.' }),
  type: z.enum(DOMAIN_EVENT_TYPES).meta({ description: 'Of the recorded event.', examples: ['MetricEventRecorded'] }),
  timestamp: instant.meta({ description: 'The instant of the event.' }),
  recordedAt: instant.meta({ description: 'When it was recorded.' }),
  userId: nullableText.meta({
    description: 'The user; null: erased, or the event concerns no single user.',
    examples: ['ada'],
  }),
  configurationVersion: whole.meta({ description: 'The version in force when it was recorded.' }),
  details: z.record(z.string(), z.unknown()).meta({
    description:
      'Everything else that the log holds of the event, except documents; for a sweep, how many `users` it settled. `personal` holds what names or describes the user, and is gone once they are erased.',
    examples: [{ metric: 'lessons', value: '2.5' }],
  }),
});
export type LoggedEvent = z.infer<typeof loggedEvent>;

/** Events of the log as CloudEvents 1.0, in JSON batch format. */
export const loggedCloudEvents = z.array(
  named('LoggedCloudEvent', 'An event of the log as a CloudEvent.', {
    specversion: z.literal('1.0').meta({ description: 'The version of CloudEvents.' }),
    id: z.uuid().meta({ description: 'That of the event.' }),
    source: z.string().meta({ description: 'The account.', examples: ['/accounts/default'] }),
    type: z
      .string()
      .meta({ description: 'The type of the event.', examples: ['laurel.recorded.MetricEventRecorded.v1'] }),
    subject: z.string().optional().meta({ description: 'The id of the user; absent: erased, or no single one.' }),
    time: instant.meta({ description: 'The instant of the event.' }),
    datacontenttype: z.literal('application/json').meta({ description: 'The format of `data`.' }),
    data: loggedEvent.meta({ description: 'The event.' }),
  }),
);
