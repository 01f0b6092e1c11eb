import { z } from 'zod';
import { AREAS } from '@laurel/kernel';
import { achievement } from './achievement.ts';
import { actor, reason } from './attribution.ts';
import { instant, jsonNumber, uuid } from './fields.ts';
import { leaderboardEntry } from './leaderboard.ts';
import { eventPoints } from './points.ts';
import { PROBLEM_CODES } from './problem.ts';
import { currentStreak } from './streak.ts';
import { must, mustHaveKnownFields } from './text.ts';

const pending = z.array(z.enum(AREAS)).optional().meta({
  description:
    'Present only if the answer is incomplete: the areas that have not applied the event yet. Their fields are null or empty; they catch up.',
});

/**
 * What one event caused. The two idempotency fields are present only if a key was sent, `pending` only if an area has not applied the
 * event within the wait limit; its fields are then null or empty.
 */
export const eventAnswer = z
  .object({
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
    idempotentReplayed: z
      .boolean()
      .optional()
      .meta({ description: 'Only if a key was sent: true if it had been used before and nothing changed now.' }),
    idempotencyKey: z.string().optional().meta({ description: 'Only if a key was sent: that key.' }),
    retracted: z.literal(true).optional().meta({
      description: 'Only of a replay whose event was retracted: the event counts for nothing, its key stays used.',
    }),
  })
  .meta({ id: 'EventAnswer', description: 'What one event caused.' });
export type EventAnswer = z.infer<typeof eventAnswer>;

/** What became of one item of a batch; `error` and `code` if it was refused, `body` with `?results=full`. */
const batchResult = z
  .object({
    index: z.number().int().meta({ description: 'The event’s place in the batch, or its line in the stream, from 0.' }),
    status: z
      .number()
      .int()
      .meta({
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
  })
  .meta({ id: 'BatchResult', description: 'The result for one event of a batch, or for one line of a stream.' });
export type BatchResult = z.infer<typeof batchResult>;

export const batchAnswer = z
  .object({
    accepted: z.number().int().meta({ description: 'Number of events recorded by this request, without replays.' }),
    results: z.array(batchResult).meta({ description: 'The results, one for each event, in their order.' }),
  })
  .meta({ id: 'BatchAnswer', description: 'The results of a batch.' });
export type BatchAnswer = z.infer<typeof batchAnswer>;

/** The last line of an answer in NDJSON if the stream was ended before its end. */
const streamEnd = z
  .object({
    status: z.number().int().meta({ description: 'The status that the whole request would have received.' }),
    error: z.string().meta({ description: 'Why the stream was ended, in a plain sentence.' }),
    code: z.enum(PROBLEM_CODES).meta({ description: 'The `code` of the error.' }),
  })
  .meta({
    id: 'StreamEnd',
    description:
      'A line without `index`: the service ended the stream early. No line after the last one with a result was recorded.',
  });
export type StreamEnd = z.infer<typeof streamEnd>;

/** A line of an answer in NDJSON. */
export const streamResult = z
  .union([batchResult, streamEnd])
  .meta({ id: 'StreamResult', description: 'The result for one line, or why no further line was read.' });
export type StreamResult = z.infer<typeof streamResult>;

/** `POST /admin/v1/imports/finish`. */
export const finishImportAnswer = z
  .object({
    closed: z.boolean().meta({ description: 'False if no import was open.' }),
    pending: z.array(z.enum(AREAS)).optional().meta({
      description:
        'Only in the distributed topology, if some areas have not yet applied everything recorded before this call: those areas. Call again to wait for them.',
    }),
  })
  .meta({ id: 'FinishImportAnswer', description: 'Whether an import was ended.' });
export type FinishImportAnswer = z.infer<typeof finishImportAnswer>;

/** `POST /admin/v1/imports/finish`. */
export const finishImportRequest = z
  .object({ reason }, must('an object'))
  .meta({ id: 'FinishImportRequest', description: 'Why an import is ended; may be left out altogether.' });

/** `POST /v1/achievements/{key}/complete`. */
export const completionAnswer = z
  .object({
    completionId: uuid.meta({ description: 'Id of the completion, the same in every answer.' }),
    achievement: achievement.meta({ description: 'The achievement, with when it was completed.' }),
    achievements: z.array(achievement).meta({
      description:
        'The composite achievements that it completed, in the order of completion; empty if the achievement was already complete.',
    }),
    points: z.record(z.string(), eventPoints).meta({
      description:
        'The points systems in which a trigger fired, by key; empty if the achievement was already complete.',
    }),
    leaderboards: z.record(z.string(), leaderboardEntry).meta({
      description:
        'The leaderboards on which the completion changed the user’s value, by key; empty if the achievement was already complete.',
    }),
    pending,
  })
  .meta({ id: 'CompletionAnswer', description: 'What the completion of an achievement caused.' });
export type CompletionAnswer = z.infer<typeof completionAnswer>;

/** `POST /admin/v1/imports`. An option that is not known is refused: it would not be kept to. */
export const importRequest = z
  .strictObject(
    {
      unboundedAwards: z.boolean(must('true or false')).optional().meta({
        description:
          'Whether a line may owe a new user more than 50,000 time awards. They are all given before the user’s next event; absent: false.',
      }),
      outgoing: z.boolean(must('true or false')).optional().meta({
        description: 'Whether imported events make outcomes, as live ones do; absent: false.',
      }),
      reason,
    },
    mustHaveKnownFields,
  )
  .meta({ id: 'ImportRequest', description: 'The options of an import.' });
export type ImportRequest = z.infer<typeof importRequest>;

export const importAnswer = z
  .object({
    opened: z.boolean().meta({ description: 'False if an import with these options was already open.' }),
    unboundedAwards: z.boolean().meta({ description: 'The option in force.' }),
    outgoing: z.boolean().meta({ description: 'The option in force.' }),
  })
  .meta({ id: 'ImportAnswer', description: 'The import that is open.' });
export type ImportAnswer = z.infer<typeof importAnswer>;

/** `GET /admin/v1/imports`. */
export const openImportAnswer = z
  .object({
    open: z
      .object({
        openedAt: instant.meta({ description: 'When it was opened, or was given the options in force.' }),
        by: actor,
        reason: z.string().nullable().meta({ description: 'The reason given for it; null: none.' }),
        unboundedAwards: z.boolean().meta({ description: 'The option in force.' }),
        outgoing: z.boolean().meta({ description: 'The option in force.' }),
        events: z.number().int().min(0).nullable().meta({
          description: 'Events recorded since `openedAt`, including live ones; null: unknown.',
        }),
        lastReceivedAt: instant.meta({
          description:
            'When the newest imported event was received, or the import opened; after a restart not before that, and in the distributed topology up to five seconds old.',
        }),
      })
      .meta({ id: 'OpenImport', description: 'An open import and its progress.' })
      .nullable()
      .meta({ description: 'The open import; null: none is open.' }),
  })
  .meta({ id: 'OpenImportAnswer', description: 'The import that is open, if one is.' });
export type OpenImportAnswer = z.infer<typeof openImportAnswer>;
