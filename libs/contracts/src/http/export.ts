import { z } from 'zod';
import { FACT_TYPES } from '../log.ts';
import { date, instant, jsonNumber, jsonWhole, userIdUnlessErased } from './fields.ts';

/** `GET /admin/v1/export/…` (specification, section 9.15): a row of each, as JSON; in CSV its fields are the columns, in this order. */

export const exportedEvent = z
  .object({
    id: z.uuid().meta({ description: 'Of the event.' }),
    timestamp: instant.meta({ description: 'The instant of the event.' }),
    recordedAt: instant.meta({ description: 'When it was recorded: later than `timestamp` if it was imported.' }),
    userId: userIdUnlessErased,
    metric: z.string().meta({ description: 'Key of the metric.', examples: ['lessons'] }),
    value: jsonNumber.meta({ description: 'As it was sent.', examples: [2.5] }),
    attributes: z
      .record(z.string(), z.string())
      .meta({ description: 'What callers attached to the event; in CSV as JSON.', examples: [{ course: 'go' }] }),
    imported: z.boolean().meta({ description: 'Whether the caller brought the instant.' }),
    configurationVersion: z.number().int().meta({ description: 'The version in force when it was recorded.' }),
  })
  .meta({ id: 'ExportedEvent', description: 'A metric event, in the order of recording.' });
export type ExportedEvent = z.infer<typeof exportedEvent>;

export const exportedAward = z
  .object({
    id: z.uuid().nullable().meta({ description: 'Of the award; null: a time award of a user who was erased.' }),
    at: instant.meta({ description: 'When it was given, or fell due.' }),
    date: date.meta({ description: 'That date on the user’s clock.' }),
    userId: userIdUnlessErased,
    points: z.string().meta({ description: 'Key of the points system.', examples: ['xp'] }),
    triggerId: z.string().meta({ description: 'The trigger that gave it; `grant`: it was given by hand.' }),
    awarded: jsonWhole.meta({ description: 'What was given; negative: taken.', examples: [10] }),
    total: jsonWhole.meta({ description: 'The user’s total after it.', examples: [340] }),
  })
  .meta({ id: 'ExportedAward', description: 'A recorded award of points, user by user in their order.' });
export type ExportedAward = z.infer<typeof exportedAward>;

const place = {
  leaderboard: z.string().meta({ description: 'Key of the leaderboard.', examples: ['weekly'] }),
  run: date.meta({ description: 'First date of the run.' }),
  runEnd: date.nullable().meta({ description: 'Last date of the run; null: open.' }),
  rank: z.number().int().meta({ description: 'From 1 on.' }),
  userId: userIdUnlessErased,
};
const reached = {
  value: jsonNumber.meta({ description: 'What ranks them.', examples: [12.5] }),
  reachedAt: instant.meta({ description: 'When the value was reached: of equal values the earlier goes first.' }),
};

export const exportedRanking = z
  .object({ ...place, ...reached })
  .meta({ id: 'ExportedRanking', description: 'A ranked row of a run.' });
export type ExportedRanking = z.infer<typeof exportedRanking>;

export const exportedWinner = z
  .object({
    ...place,
    name: z
      .string()
      .nullable()
      .meta({ description: 'Name to show; null: none.', examples: ['Ada'] }),
    email: z
      .string()
      .nullable()
      .meta({ description: 'E-mail address; null: none.', examples: ['ada@example.org'] }),
    ...reached,
  })
  .meta({ id: 'ExportedWinner', description: 'A row of a run that is final, with whom to write to.' });
export type ExportedWinner = z.infer<typeof exportedWinner>;

/** `GET /admin/v1/events`. */
export const loggedEvent = z
  .object({
    id: z.uuid().meta({ description: 'Of the event.' }),
    type: z.enum(FACT_TYPES).meta({ description: 'Of the recorded event.', examples: ['MetricEventRecorded'] }),
    timestamp: instant.meta({ description: 'The instant of the event.' }),
    recordedAt: instant.meta({ description: 'When it was recorded.' }),
    userId: z
      .string()
      .nullable()
      .meta({ description: 'The user; null: erased, or the event concerns no single user.', examples: ['ada'] }),
    configurationVersion: z.number().int().meta({ description: 'The version in force when it was recorded.' }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'All else that the log holds of it but documents; of a sweep how many `users` it settled. What names the user or was said of them is `personal`, and gone once they are erased.',
      examples: [{ metric: 'lessons', value: '2.5' }],
    }),
  })
  .meta({ id: 'LoggedEvent', description: 'An event of the log.' });
export type LoggedEvent = z.infer<typeof loggedEvent>;

/** The same as CloudEvents 1.0, in JSON batch format. */
export const loggedCloudEvents = z.array(
  z
    .object({
      specversion: z.literal('1.0').meta({ description: 'The version of CloudEvents.' }),
      id: z.uuid().meta({ description: 'That of the event.' }),
      source: z.string().meta({ description: 'The account.', examples: ['/accounts/default'] }),
      type: z
        .string()
        .meta({ description: 'The type of the event.', examples: ['laurel.recorded.MetricEventRecorded.v1'] }),
      subject: z.string().optional().meta({ description: 'The id of the user; absent: erased, or no single one.' }),
      time: instant.meta({ description: 'The instant of the event.' }),
      datacontenttype: z.literal('application/json').meta({ description: 'What `data` is.' }),
      data: loggedEvent.meta({ description: 'The event.' }),
    })
    .meta({ id: 'LoggedCloudEvent', description: 'An event of the log as a CloudEvent.' }),
);
