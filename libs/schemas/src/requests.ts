import { z } from 'zod';
import type { Amount } from '@laurel/amounts';
import { roundedAmount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { isZoneName, parseInstant } from '@laurel/calendar';
import { suggested } from './near-name.ts';
import { idempotencyKeyIn, isIdempotencyKey } from './idempotency-key.ts';
import { otherNames } from './mistaken-fields.ts';
import { nearZone } from './near-zone.ts';
import { eventAttributes, must, text, userAttributes, userId } from './text.ts';
import { named, namedBody } from './named-object.ts';

const WHAT_VALUE = 'a number from -1000000000 to 1000000000';

/** The value of an event (specification, section 1 "Numbers"). */
export const eventValue = z
  .number(must(WHAT_VALUE))
  .meta({
    description:
      'What the event adds to the metric, rounded to six decimals (half away from zero). Zero and negative values are fine.',
    minimum: -1e9,
    maximum: 1e9,
    examples: [1],
  })
  .transform((number, context): Amount => {
    const amount = Math.abs(number) <= 1e9 ? roundedAmount(number) : null;
    if (amount === null) context.issues.push({ code: 'custom', message: `must be ${WHAT_VALUE}`, input: number });
    return amount ?? 0n;
  });

const MERGED = 'Merged by key; null removes a key. The user has at most 50 after it.';
const WHAT_TZ = 'the name of an IANA time zone, or UTC';
const MAX_DEVICE_TOKENS = 20;
const WHAT_TOKENS = `a list of at most ${MAX_DEVICE_TOKENS} strings`;

const profileFields = {
  name: text(0, 255).meta({ description: 'Name to show.', examples: ['Ada'] }),
  email: text(1, 320)
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
    .meta({ description: 'E-mail address.', examples: ['ada@example.org'] }),
  tz: z
    .string(must(WHAT_TZ))
    .refine(isZoneName, { error: ({ input }) => `must be ${WHAT_TZ}${suggested(nearZone(String(input)))}` })
    .meta({
      description:
        'The user’s clock, on which streaks, points and leaderboards are dated: an IANA time zone spelled as there, or `UTC`. It is taken over before the event counts.',
      examples: ['Europe/Berlin'],
    }),
  subscribeToEmails: z
    .boolean(must('a boolean'))
    .meta({ description: 'Whether the user wants e-mails; true by default.', examples: [true] }),
  deviceTokens: z
    .array(text(0, 255), must(WHAT_TOKENS))
    .max(MAX_DEVICE_TOKENS, `must be ${WHAT_TOKENS}`)
    .meta({ description: 'Tokens of the user’s devices. They replace those sent before; no answer shows them.' }),
};

/** Reads null as absent, for fields of the user of an event. */
const absentIfNull = <Schema extends z.ZodType>(field: Schema) =>
  field.nullish().transform((value): z.output<Schema> | undefined => value ?? undefined);

/** Common other names of a user's fields. */
const OTHER_USER_FIELDS = {
  timezone: 'tz',
  emailAddress: 'email',
  mail: 'email',
  displayName: 'name',
  fullName: 'name',
};

/** The user that a request names, and so creates or updates; absent fields stay unchanged. */
export const namedUser = namedBody(
  'NamedUser',
  'A user, created or updated by being named; fields that are absent or null stay as they were.',
  {
    id: userId,
    name: absentIfNull(profileFields.name),
    email: absentIfNull(profileFields.email),
    tz: absentIfNull(profileFields.tz),
    subscribeToEmails: absentIfNull(profileFields.subscribeToEmails),
    deviceTokens: absentIfNull(profileFields.deviceTokens),
    attributes: absentIfNull(userAttributes).meta({ description: MERGED }),
  },
).register(otherNames, { names: { ...OTHER_USER_FIELDS, userId: 'id' } });
const WHAT_KEY = 'a string of 1–255 characters without NUL and lone surrogates';

const idempotencyKey = z
  .string(must(WHAT_KEY))
  .refine((written) => isIdempotencyKey(idempotencyKeyIn(written)), `must be ${WHAT_KEY}`)
  .meta({ minLength: 1, examples: ['lesson-42'] })
  .nullish();

/** Common names for fields of `user` that clients put beside it. */
const NAMES_BESIDE_USER = { userId: 'user.id', timezone: 'user.tz', tz: 'user.tz' };

const eventFields = {
  user: namedUser.meta({ description: 'The user.' }),
  value: eventValue,
  attributes: eventAttributes.nullish().meta({ description: 'The event’s attributes, recorded with it; null: none.' }),
};

const singleEventFields = {
  ...eventFields,
  idempotencyKey: idempotencyKey.meta({
    description: 'The same as the header `Idempotency-Key`. If both are given they must be equal; null: none.',
  }),
};

/** `POST /api/metrics/{key}/event` (specification, section 2). */
export const metricEventRequest = z
  .object(
    {
      ...singleEventFields,
      timestamp: z.null('must not be given: only an import brings its own instant').optional(),
    },
    must('an object'),
  )
  .register(otherNames, { names: NAMES_BESIDE_USER });
export type MetricEventRequest = z.infer<typeof metricEventRequest>;

/** A single event as the description shows it: without the field that can only be null. */
export const describedMetricEvent = named(
  'MetricEventRequest',
  'One event of one user. It happens when it is received: only an import brings its own instant as `timestamp`. A field that is not named here is ignored, unless it is close to one that is.',
  singleEventFields,
);

const WHAT_INSTANT = 'an ISO 8601 instant, like 2026-01-31T12:00:00Z, from 1970 on';

/** The zone that a correction gives an event. */
export const eventZone = profileFields.tz;

export const eventInstant = z
  .string(must(WHAT_INSTANT))
  .meta({
    description: 'An instant from 1970 on, in UTC or with an offset.',
    format: 'date-time',
    examples: ['2026-01-31T12:00:00+01:00'],
  })
  .transform((written, context): Instant => {
    const instant = parseInstant(written);
    if (instant === null || instant < 0)
      context.issues.push({ code: 'custom', message: `must be ${WHAT_INSTANT}`, input: written });
    return instant ?? 0;
  });

const itemFields = {
  ...eventFields,
  idempotencyKey: idempotencyKey.meta({
    description: 'As the header `Idempotency-Key` of a single event; null: none.',
  }),
  timestamp: eventInstant.nullish().meta({
    description: 'When it happened, at most 5 minutes ahead; absent or null: now. Its presence opens an import.',
  }),
};

/** An item of `POST /admin/v1/metrics/events`; its metric (`metric` or `key`) is looked up before the rest is read. */
export const batchItem = z.object(itemFields, must('an object'));
const metricOfItem = z.string().nullish();

/** The fields of an item. Items are read one by one, by {@link batchItem}, once their metric is known. */
export const batchItemNames = z
  .object({ metric: metricOfItem, key: metricOfItem, ...itemFields })
  .register(otherNames, {
    names: { ...NAMES_BESIDE_USER, metricKey: 'metric', occurredAt: 'timestamp', time: 'timestamp' },
  });

/** An item as the description shows it: with one name for the metric, which is required. */
export const describedBatchItem = named(
  'BatchItem',
  'An event, with its metric, idempotency key and instant beside it.',
  {
    metric: z.string().meta({
      description: 'The metric’s key. `key` is taken instead, too.',
      examples: ['lessons'],
    }),
    ...itemFields,
  },
);

/** The body of `POST /admin/v1/metrics/events`. */
export const batchRequest = named('BatchRequest', 'Up to 1,000 events. The list alone is taken instead, too.', {
  events: z.array(describedBatchItem).max(1_000).meta({ description: 'The events, applied in order.' }),
});

/** Fields of the user whom a request is about: null resets a field to its initial value. */
const updatedFields = {
  name: profileFields.name.nullish(),
  email: profileFields.email.nullish(),
  tz: profileFields.tz.nullish(),
  subscribeToEmails: profileFields.subscribeToEmails.nullish(),
  deviceTokens: profileFields.deviceTokens.nullish(),
  attributes: absentIfNull(userAttributes).meta({ description: MERGED }),
};

const WHAT_STAYS =
  'Absent fields stay as they were; null removes a name or an e-mail address, and sets `tz` back to UTC.';

/** `POST /v1/users` (specification, section 8). */
export const identifyRequest = namedBody('IdentifyRequest', `A user to create or to update. ${WHAT_STAYS}`, {
  id: userId,
  ...updatedFields,
}).register(otherNames, { names: { ...OTHER_USER_FIELDS, userId: 'id' } });
/** `PUT` and `PATCH /v1/users/{id}`: the id is in the path. */
export const userUpdateRequest = namedBody(
  'UserUpdateRequest',
  `What is to be changed of a user. ${WHAT_STAYS}`,
  updatedFields,
).register(otherNames, { names: OTHER_USER_FIELDS });
export type UserUpdateRequest = z.infer<typeof userUpdateRequest>;

/** `POST /v1/achievements/{key}/complete`. */
export const completeAchievementRequest = namedBody(
  'CompleteAchievementRequest',
  'The user who completed an achievement.',
  { user: namedUser.meta({ description: 'The user who completed it.' }) },
).register(otherNames, { names: NAMES_BESIDE_USER });
