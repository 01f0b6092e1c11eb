import { CAP_PERIODS, type CapPeriod } from '@laurel/kernel';
import { z } from 'zod';

export const cap = z
  .strictObject({
    per: z
      .enum(Object.keys(CAP_PERIODS) as CapPeriod[])
      .describe("Length of a period on the user's clock. Weeks begin as the streak's weekStart says."),
    points: z.int().min(1).max(1_000_000_000).describe('Maximum number of points in a period.'),
  })
  .describe('A maximum for each period. Laurel cuts an award that would exceed it.');

/** The caps of a points system. */
export const caps = z
  .array(cap)
  .default([])
  .describe(
    'How many points the triggers of types metric, streak and achievement give a user at most in a day, a week or a month; each period only once. maxPoints cuts what is left.',
  );
