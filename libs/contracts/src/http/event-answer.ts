import { z } from 'zod';
import { AREAS } from '../message.ts';
import { achievement } from './achievement.ts';
import { jsonNumber } from './fields.ts';
import { leaderboardEntry } from './leaderboard.ts';
import { eventPoints } from './points.ts';
import { currentStreak } from './streak.ts';

/**
 * What one event caused. The two idempotency fields are there only if a key was sent, `pending` only if an area had not
 * applied the event within the wait limit: what it would say is then null or empty.
 */
export const eventAnswer = z
  .object({
    metricId: z.string(),
    eventId: z.string(),
    total: jsonNumber.nullable(),
    achievements: z.array(achievement),
    currentStreak: currentStreak.nullable(),
    points: z.record(z.string(), eventPoints),
    leaderboards: z.record(z.string(), leaderboardEntry),
    pending: z.array(z.enum(AREAS)).optional(),
    idempotentReplayed: z.boolean().optional(),
    idempotencyKey: z.string().optional(),
  })
  .meta({ id: 'EventAnswer' });
export type EventAnswer = z.infer<typeof eventAnswer>;

/** What became of one item of a batch; `error` if it was refused, `body` with `?results=full`. */
export const batchResult = z
  .object({
    index: z.number().int(),
    status: z.number().int(),
    eventId: z.string().optional(),
    error: z.string().optional(),
    body: eventAnswer.optional(),
  })
  .meta({ id: 'BatchResult' });
export type BatchResult = z.infer<typeof batchResult>;

export const batchAnswer = z
  .object({ accepted: z.number().int(), results: z.array(batchResult) })
  .meta({ id: 'BatchAnswer', description: '`accepted`: how many were recorded.' });
export type BatchAnswer = z.infer<typeof batchAnswer>;

/** `POST /admin/v1/imports/finish`. */
export const finishImportAnswer = z.object({ closed: z.boolean() }).meta({ id: 'FinishImportAnswer' });
export type FinishImportAnswer = z.infer<typeof finishImportAnswer>;

/** `POST /v1/achievements/{key}/complete`. */
export const completionAnswer = z
  .object({
    completionId: z.string(),
    achievement,
    points: z.record(z.string(), eventPoints),
    pending: z.array(z.enum(AREAS)).optional(),
  })
  .meta({ id: 'CompletionAnswer' });
export type CompletionAnswer = z.infer<typeof completionAnswer>;
