import { BOOST_ROUNDINGS } from '@laurel/kernel';
import { z } from 'zod';
import { conditions } from './conditions-document.ts';
import { documentAmount, instant, name, ownKey } from './configuration-fields.ts';

/** Millionths in a hundredth. */
const HUNDREDTH = 10_000n;

/** The hundredths of an accepted multiplier. */
export const hundredthsOf = (multiplier: number): number => Number((documentAmount(multiplier) ?? 0n) / HUNDREDTH);

/** Whether a number in bounds has at most two decimals. */
const hasTwoDecimals = (multiplier: number): boolean => {
  const amount = documentAmount(multiplier);
  return amount !== null && amount % HUNDREDTH === 0n;
};

const [LEAST, MOST] = [0.01, 100];

export const isMultiplier = (multiplier: number): boolean =>
  multiplier >= LEAST && multiplier <= MOST && hasTwoDecimals(multiplier);

const multiplier = z
  .number()
  .min(LEAST, { abort: true })
  .max(MOST, { abort: true })
  .refine(hasTwoDecimals, { error: 'a number with at most 2 decimals' });

export const boostDocument = z
  .strictObject({
    key: ownKey,
    name,
    multiplier: multiplier.describe(
      'What it multiplies points by: 0.01 to 100, at most 2 decimals. If several boosts apply, their multipliers are multiplied.',
    ),
    rounding: z
      .enum(BOOST_ROUNDINGS)
      .default('down')
      .describe(
        'How an award becomes a whole number; nearest rounds halves up. If several boosts apply, the first of them decides.',
      ),
    start: instant.describe('First instant at which it applies.'),
    end: instant.nullable().default(null).describe('Instant from which it no longer applies. null: it has no end.'),
    where: conditions(['user'])
      .nullable()
      .default(null)
      .describe(
        'Attributes that the user must have: `user: {KEY: VALUE}`, or a list of values of which one must match. The user is judged with each award. null: it applies to all users.',
      ),
  })
  .describe(
    'Multiplies the points that triggers of type metric, streak and achievement give within it. Grants, refunds, triggers of other types and negative points stay as they are.',
  );
export type BoostDocument = z.output<typeof boostDocument>;
