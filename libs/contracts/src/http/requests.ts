import { z } from 'zod';
import type { Amount } from '@laurel/amounts';
import { amountFromNumber } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { isZoneName, parseInstant } from '@laurel/calendar';
import { eventAttributes, isText, must, text, userAttributes, userId } from './text.ts';

const WHAT_VALUE = 'a number with at most six decimals, from -1000000000 to 1000000000';

/** What an event adds to its metric (specification, section 1 "Numbers"). */
const value = z
  .number(must(WHAT_VALUE))
  .meta({ description: 'What the event adds to the metric: at most six decimals, absolute value at most 1e9.' })
  .transform((number, context): Amount => {
    const amount = Math.abs(number) <= 1e9 ? amountFromNumber(number) : null;
    if (amount === null) context.issues.push({ code: 'custom', message: `must be ${WHAT_VALUE}`, input: number });
    return amount ?? 0n;
  });

const WHAT_TZ = 'the name of an IANA time zone, or UTC';

const userFields = {
  name: text(0, 255).nullable().optional().meta({ description: 'Null removes it.' }),
  email: text(1, 320)
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
    .nullable()
    .optional()
    .meta({ description: 'Null removes it.' }),
  tz: z
    .string(must(WHAT_TZ))
    .refine(isZoneName, `must be ${WHAT_TZ}`)
    .optional()
    .meta({ description: 'The clock on which streaks, points and leaderboards are dated.' }),
  attributes: userAttributes.optional(),
};

const objectNamed = (id: string, description: string) => ({ id, description });

/** The user that a request names: created or updated by it; absent fields stay as they were. */
export const namedUser = z
  .object({ id: userId, ...userFields }, must('an object'))
  .meta(objectNamed('NamedUser', 'Created or updated; absent fields stay as they were.'));
export type NamedUser = z.infer<typeof namedUser>;

/** `POST /api/metrics/{key}/event` (specification, section 2). */
export const metricEventRequest = z
  .object({ user: namedUser, value, attributes: eventAttributes.optional() }, must('an object'))
  .meta(objectNamed('MetricEventRequest', 'One event of one user.'));
export type MetricEventRequest = z.infer<typeof metricEventRequest>;

/** An idempotency key has 1–255 characters, through the header as well as in a batch. */
export function isIdempotencyKey(key: string): boolean {
  return isText(key, 1, 255);
}

const WHAT_INSTANT = 'an ISO 8601 instant, like 2026-01-31T12:00:00Z, from 1970 on';

const timestamp = z
  .string(must(WHAT_INSTANT))
  .meta({
    description: 'When it happened: an ISO 8601 instant, not later than now + 5 min. Its presence opens an import.',
  })
  .transform((written, context): Instant => {
    const instant = parseInstant(written);
    if (instant === null || instant < 0)
      context.issues.push({ code: 'custom', message: `must be ${WHAT_INSTANT}`, input: written });
    return instant ?? 0;
  });

/** An item of `POST /admin/v1/metrics/events`; its metric (`metric` or `key`) is looked up before the rest is read. */
export const batchItem = z
  .object(
    {
      user: namedUser,
      value,
      attributes: eventAttributes.optional(),
      idempotencyKey: text(1, 255).optional(),
      timestamp: timestamp.optional(),
    },
    must('an object'),
  )
  .meta(
    objectNamed('BatchItem', 'One event of a batch: as a single event, with its metric, key and instant beside it.'),
  );
export type BatchItem = z.infer<typeof batchItem>;

/** `POST /v1/users` (specification, section 8). */
export const identifyRequest = namedUser;
export type IdentifyRequest = NamedUser;

/** `PUT` and `PATCH /v1/users/{id}`: the id is in the path. */
export const userUpdateRequest = z
  .object(userFields, must('an object'))
  .meta(objectNamed('UserUpdateRequest', 'Absent fields stay as they were.'));
export type UserUpdateRequest = z.infer<typeof userUpdateRequest>;

/** `POST /v1/achievements/{key}/complete`. */
export const completeAchievementRequest = z
  .object({ user: namedUser }, must('an object'))
  .meta(objectNamed('CompleteAchievementRequest', 'The user who completed it.'));
export type CompleteAchievementRequest = z.infer<typeof completeAchievementRequest>;
