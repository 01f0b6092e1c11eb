import { z } from 'zod';
import { achievement } from './achievement.ts';
import { instant, jsonNumber } from './fields.ts';

/** `GET /v1/users/{id}`. */
export const user = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    tz: z.string().nullable(),
    subscribeToEmails: z.boolean(),
    attributes: z.record(z.string(), z.string()),
    control: z.literal(false),
    created: instant,
    updated: instant,
  })
  .meta({ id: 'User' });
export type UserAnswer = z.infer<typeof user>;

/** An element of `GET /v1/users/{id}/metrics`. */
export const userMetric = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    current: jsonNumber,
    achievements: z.array(achievement),
  })
  .meta({ id: 'UserMetric' });
export type UserMetric = z.infer<typeof userMetric>;
