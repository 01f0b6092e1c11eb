import { z } from 'zod';
import { AREAS } from '@laurel/kernel';
import { achievement } from './achievement.ts';
import { actor, reason } from './attribution.ts';
import { count, instant, jsonNumber, nullableText, uuid, whole } from './fields.ts';
import { leaderboardEntry } from './leaderboard.ts';
import { eventPoints } from './points.ts';
import { PROBLEM_CODES } from './problem.ts';
import { currentStreak } from './streak.ts';
import { must } from './text.ts';
import { named, namedBody, namedStrictBody } from './named-object.ts';

const pending = z.array(z.enum(AREAS)).optional().meta({
  description:
    'Present only if the answer is incomplete: the areas that have not applied the event yet. Their fields are null or empty; they catch up.',
});

/** Of an answer to a request that may have a key. */
export const idempotency = {
  idempotentReplayed: z
    .boolean()
    .optional()
    .meta({ description: 'Only if a key was sent: true if it had been used before and nothing changed now.' }),
  idempotencyKey: z.string().optional().meta({ description: 'Only if a key was sent: that key.' }),
};

/**
 * The effects of one event. The two idempotency fields are present only if a key was sent, `pending` only if an area has not applied the
 * event within the wait limit; the fields of that area are then null or empty.
 */
export const eventAnswer = named('EventAnswer', 'What one event caused.', {
  metricId: uuid.meta({ description: 'The metric.' }),
  eventId: uuid.meta({ description: 'The recorded event; of a replay, the original one.' }),
  total: jsonNumber.nullable().meta({
    description:
      'The user’s total of the metric, this event included, exact to six decimals at any size; null only if `users` is pending.',
  }),
  achievements: z
    .array(achievement)
    .meta({ description: 'Achievements that this event completed, in the order of completion.' }),
  currentStreak: currentStreak
    .nullable()
    .meta({ description: 'The user’s streak after the event; null only if `streaks` is pending.' }),
  points: z
    .record(z.string(), eventPoints)
    .meta({ description: 'The points systems in which a trigger fired, by key.' }),
  leaderboards: z
    .record(z.string(), leaderboardEntry)
    .meta({ description: 'The leaderboards on which the event changed the user’s value, by key.' }),
  pending,
  ...idempotency,
  retracted: z.literal(true).optional().meta({
    description: 'Only of a replay whose event was retracted: the event counts for nothing, its key stays used.',
  }),
});
export type EventAnswer = z.infer<typeof eventAnswer>;

/** The result of one item of a batch: `error` and `code` if it was refused, `body` with `?results=full`. */
const batchResult = named('BatchResult', 'The result for one event of a batch, or for one line of a stream.', {
  index: whole.meta({ description: 'The event’s place in the batch, or its line in the stream, from 0.' }),
  status: whole.meta({
    description:
      'The status that a single event would have received: 201, 202, 404, 422, 503 or 500; for a line of a stream also 400 or 413.',
    examples: [201],
  }),
  eventId: uuid.optional().meta({ description: 'The recorded event; of a replay, the original one.' }),
  late: z.literal(true).optional().meta({
    description:
      'Only if the event’s instant is before that of the user’s latest event: it counts for totals, points and boards, but extends and revives no streak. In the distributed topology only with `results=full`.',
  }),
  error: z.string().optional().meta({ description: 'Only if it was refused: why, in a plain sentence.' }),
  code: z.enum(PROBLEM_CODES).optional().meta({
    description: 'Only if it was refused: the `code` of the error that a single event would have received.',
  }),
  body: eventAnswer.optional().meta({ description: 'Only with `results=full`: the answer of the single event.' }),
});
export type BatchResult = z.infer<typeof batchResult>;

export const batchAnswer = named('BatchAnswer', 'The results of a batch.', {
  accepted: whole.meta({ description: 'Number of events recorded by this request, without replays.' }),
  results: z.array(batchResult).meta({ description: 'The results, one for each event, in their order.' }),
});
export type BatchAnswer = z.infer<typeof batchAnswer>;

/** The last line of an answer in NDJSON if the service ended the stream early. */
const streamEnd = named(
  'StreamEnd',
  'A line without `index`: the service ended the stream early. No line after the last one with a result was recorded.',
  {
    status: whole.meta({ description: 'The status that the whole request would have received.' }),
    error: z.string().meta({ description: 'Why the stream was ended, in a plain sentence.' }),
    code: z.enum(PROBLEM_CODES).meta({ description: 'The `code` of the error.' }),
  },
);
export type StreamEnd = z.infer<typeof streamEnd>;

/** A line of an answer in NDJSON. */
export const streamResult = z
  .union([batchResult, streamEnd])
  .meta({ id: 'StreamResult', description: 'The result for one line, or why no further line was read.' });
export type StreamResult = z.infer<typeof streamResult>;

/** `POST /admin/v1/imports/finish`. */
export const finishImportAnswer = named('FinishImportAnswer', 'Whether an import was ended.', {
  closed: z.boolean().meta({ description: 'False if no import was open.' }),
  pending: z.array(z.enum(AREAS)).optional().meta({
    description:
      'Only in the distributed topology, if some areas have not yet applied everything recorded before this call: those areas. Call again to wait for them.',
  }),
});
export type FinishImportAnswer = z.infer<typeof finishImportAnswer>;

/** `POST /admin/v1/imports/finish`. */
export const finishImportRequest = namedBody(
  'FinishImportRequest',
  'Why an import is ended; may be left out altogether.',
  { reason },
);

/** `POST /v1/achievements/{key}/complete`. */
export const completionAnswer = named('CompletionAnswer', 'What the completion of an achievement caused.', {
  completionId: uuid.meta({ description: 'Id of the completion, the same in every answer.' }),
  achievement: achievement.meta({ description: 'The achievement, with when it was completed.' }),
  achievements: z.array(achievement).meta({
    description:
      'The composite achievements that it completed, in the order of completion; empty if the achievement was already complete.',
  }),
  points: z.record(z.string(), eventPoints).meta({
    description: 'The points systems in which a trigger fired, by key; empty if the achievement was already complete.',
  }),
  leaderboards: z.record(z.string(), leaderboardEntry).meta({
    description:
      'The leaderboards on which the completion changed the user’s value, by key; empty if the achievement was already complete.',
  }),
  pending,
});
export type CompletionAnswer = z.infer<typeof completionAnswer>;

/** `POST /admin/v1/imports`. Unknown options are refused, because the import could not obey them. */
export const importRequest = namedStrictBody('ImportRequest', 'The options of an import.', {
  unboundedAwards: z.boolean(must('true or false')).optional().meta({
    description:
      'Whether a line may owe a new user more than 50,000 time awards. They are all given before the user’s next event; absent: false.',
  }),
  outgoing: z.boolean(must('true or false')).optional().meta({
    description: 'Whether imported events make outcomes, as live ones do; absent: false.',
  }),
  reason,
});
export type ImportRequest = z.infer<typeof importRequest>;

export const importAnswer = named('ImportAnswer', 'The import that is open.', {
  opened: z.boolean().meta({ description: 'False if an import with these options was already open.' }),
  unboundedAwards: z.boolean().meta({ description: 'The option in force.' }),
  outgoing: z.boolean().meta({ description: 'The option in force.' }),
});
export type ImportAnswer = z.infer<typeof importAnswer>;

/** `GET /admin/v1/imports`. */
export const openImportAnswer = named('OpenImportAnswer', 'The import that is open, if one is.', {
  open: named('OpenImport', 'An open import and its progress.', {
    openedAt: instant.meta({ description: 'When it was opened, or was given the options in force.' }),
    by: actor,
    reason: nullableText.meta({ description: 'The reason given for it; null: none.' }),
    unboundedAwards: z.boolean().meta({ description: 'The option in force.' }),
    outgoing: z.boolean().meta({ description: 'The option in force.' }),
    events: count.nullable().meta({
      description: 'Events recorded since `openedAt`, including live ones; null: unknown.',
    }),
    lastReceivedAt: instant.meta({
      description:
        'When the newest imported event was received, or the import opened; after a restart not before that, and in the distributed topology up to five seconds old.',
    }),
  })
    .nullable()
    .meta({ description: 'The open import; null: none is open.' }),
});
export type OpenImportAnswer = z.infer<typeof openImportAnswer>;
