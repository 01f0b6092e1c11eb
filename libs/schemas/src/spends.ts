import { MOST_POINTS_MOVED } from '@laurel/kernel';
import { z } from 'zod';
import { jsonWhole, uuid } from './fields.ts';
import { named, namedBody } from './named-object.ts';
import { eventPoints } from './points.ts';
import { must, text } from './text.ts';

const WHAT = `a whole number from 1 to ${MOST_POINTS_MOVED}`;

const amount = z
  .number(must(WHAT))
  .refine((given) => Number.isInteger(given) && given >= 1 && given <= MOST_POINTS_MOVED, `must be ${WHAT}`)
  .meta({ type: 'integer', minimum: 1, maximum: MOST_POINTS_MOVED, examples: [20] });

const reason = text(1, 200).nullish().meta({
  description: 'What for, in your own words: 1–200 characters. It is recorded, and erased with the user.',
});

/** `POST /v1/users/{id}/points/{key}/spend` (specification, section 6.12). */
export const spendRequest = namedBody('SpendRequest', 'Points that a user spends.', {
  amount: amount.meta({ description: 'Points to take: all of them, or none if the user has fewer.' }),
  reason,
  reference: text(1, 255)
    .nullish()
    .meta({
      description: 'Your own name for the purchase: 1–255 characters. It is recorded, and erased with the user.',
      examples: ['order-4711'],
    }),
});
export type SpendRequest = z.infer<typeof spendRequest>;

/** `POST /v1/users/{id}/points/{key}/spends/{eventId}/refund` (specification, section 6.12). */
export const refundRequest = namedBody('RefundRequest', 'What of a spend is given back.', {
  amount: amount.nullish().meta({ description: 'Points to give back; absent: everything that is left of the spend.' }),
  reason,
});
export type RefundRequest = z.infer<typeof refundRequest>;

const common = {
  eventId: uuid.meta({ description: 'The recorded request; of a replay, the original one.' }),
  points: z.record(z.string(), eventPoints).meta({
    description: 'The points system by its key: the total, and the award if this call moved points.',
  }),
  idempotentReplayed: z
    .boolean()
    .meta({ description: 'True if the key had been used before and nothing changed now.' }),
  idempotencyKey: z.string().meta({ description: 'The key of the request.' }),
  reason: z.string().optional().meta({ description: 'The reason that was recorded; absent without one.' }),
};

export const spendAnswer = named('SpendAnswer', 'A spend that succeeded.', {
  spent: jsonWhole.meta({ description: 'Points taken by the first call with this key.', examples: [20] }),
  ...common,
  reference: z.string().optional().meta({ description: 'The reference that was recorded; absent without one.' }),
});
export type SpendAnswer = z.infer<typeof spendAnswer>;

export const refundAnswer = named('RefundAnswer', 'A refund that succeeded.', {
  refunded: jsonWhole.meta({
    description: 'Points given by the first call with this key. What the cap cut off stays left to refund.',
    examples: [120],
  }),
  ...common,
});
export type RefundAnswer = z.infer<typeof refundAnswer>;
