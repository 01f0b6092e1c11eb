import { parseInstant } from '@laurel/calendar';
import { BOOST_ROUNDINGS } from '@laurel/kernel';
import { z } from 'zod';
import { requiredReason } from './attribution.ts';
import { isMultiplier } from './boost-document.ts';
import { namedBody } from './named-object.ts';
import { must, mustBeOneOf, text } from './text.ts';

const WHAT_MULTIPLIER = 'a number from 0.01 to 100 with at most 2 decimals';
const WHAT_MINUTES = 'a whole number from 1 to 5256000';
const WHAT_INSTANT = 'an instant with an offset, such as 2026-03-09T00:00:00Z';
const MOST_MINUTES = 5_256_000;

/** The name of a boost that is given without one. */
export const BOOST_NAME = 'Boost';

/** `POST /admin/v1/users/{id}/grants/boost` (specification, section 6.15). */
export const boostGrantRequest = namedBody('BoostGrantRequest', 'A boost that a user is given by hand.', {
  pointsSystem: z.string(must('the key of a points system')).meta({
    description: 'Key of the points system.',
    examples: ['xp'],
  }),
  multiplier: z
    .number(must(WHAT_MULTIPLIER))
    .refine(isMultiplier, `must be ${WHAT_MULTIPLIER}`)
    .meta({
      description: 'What it multiplies points by, at most two decimals.',
      minimum: 0.01,
      maximum: 100,
      examples: [2],
    }),
  rounding: z.enum(BOOST_ROUNDINGS, mustBeOneOf(BOOST_ROUNDINGS)).nullish().meta({
    description: 'How an award becomes a whole number; absent: `down`.',
  }),
  until: z
    .string(must(WHAT_INSTANT))
    .refine((written) => parseInstant(written) !== null, `must be ${WHAT_INSTANT}`)
    .nullish()
    .meta({ description: 'When it ends. Either this or `minutes`.', format: 'date-time' }),
  minutes: z
    .number(must(WHAT_MINUTES))
    .refine((count) => Number.isInteger(count) && count >= 1 && count <= MOST_MINUTES, `must be ${WHAT_MINUTES}`)
    .meta({ type: 'integer', minimum: 1, maximum: MOST_MINUTES, examples: [60] })
    .nullish()
    .meta({ description: 'For how long it lasts, from the call on. Either this or `until`.' }),
  name: text(1, 255)
    .nullish()
    .meta({
      description: `Name to show; absent: \`${BOOST_NAME}\`. It stays when the user is erased, so it must not name the user.`,
      examples: ['Happy hour'],
    }),
  reason: requiredReason,
});
export type BoostGrantRequest = z.infer<typeof boostGrantRequest>;
