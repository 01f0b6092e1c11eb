import { z } from 'zod';
import { achievement } from './achievement.ts';
import { date, instant, jsonNumber, nullableText, uuid } from './fields.ts';
import { named } from './named-object.ts';

/** `GET /v1/users/{id}`. */
export const user = named('User', 'A user’s profile.', {
  id: z.string().meta({ description: 'The caller’s own identifier of the user.', examples: ['ada'] }),
  email: nullableText.meta({ description: 'E-mail address; null if none was given.', examples: ['ada@example.org'] }),
  name: nullableText.meta({ description: 'Name to show; null if none was given.', examples: ['Ada'] }),
  tz: nullableText.meta({
    description: 'Zone of the user’s clock; null if none was given, which is UTC.',
    examples: ['Europe/London'],
  }),
  subscribeToEmails: z
    .boolean()
    .meta({ description: 'Whether the user wants e-mails, as it was last sent; true by default.', examples: [true] }),
  attributes: z
    .record(z.string(), z.string())
    .meta({ description: 'The user’s attributes.', examples: [{ plan: 'pro' }] }),
  control: z.boolean().meta({ description: 'Always false.' }),
  created: instant.meta({ description: 'When the user was created, by whatever was recorded first for them.' }),
  updated: instant.meta({ description: 'When the profile last changed, without totals.' }),
});
export type UserAnswer = z.infer<typeof user>;

/** An element of `GET /v1/users/{id}/metrics`. */
export const userMetric = named('UserMetric', 'A user’s total of a metric, and the achievements that it leads to.', {
  id: uuid.meta({ description: 'Id of the metric.' }),
  key: z.string().meta({ description: 'Key of the metric.', examples: ['lessons'] }),
  name: z.string().meta({ description: 'Name to show.', examples: ['Lessons'] }),
  status: z.literal('active').meta({ description: 'Always `active`.' }),
  current: jsonNumber.meta({ description: 'The user’s total.', examples: [12.5] }),
  achievements: z.array(achievement).meta({
    description:
      'The achievements that depend on the metric, without hidden ones that are not complete; `achievedAt` is null if not complete.',
  }),
});
export type UserMetric = z.infer<typeof userMetric>;

/** An element of `GET /v1/users/{id}/metrics/{key}/event-summary`. */
export const metricBucket = named('MetricBucket', 'A user’s metric in one day, week or month.', {
  date: date.meta({ description: 'First date of the period, or `start_date` if that is later.' }),
  total: jsonNumber.meta({ description: 'The user’s total at the end of the period.', examples: [12.5] }),
  change: jsonNumber.meta({
    description: 'Sum of the values of the events within the period; may be negative.',
    examples: [2.5],
  }),
});
export type MetricBucketAnswer = z.infer<typeof metricBucket>;
