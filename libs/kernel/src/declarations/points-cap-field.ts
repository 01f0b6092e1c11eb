import type { WrittenCap } from '../points-cap.ts';

/** The field of the kinds of triggers that can have a cap of their own. */
export const cap = {
  holds: 'optional cap',
  prose: 'How many points the trigger gives a user at most in a day, a week or a month. null: no cap of its own.',
  identifies: false,
} as const;

/** The plan's sentence about a changed cap. */
export const capChanged = (was: WrittenCap | null, is: WrittenCap | null): string => {
  if (is === null)
    return 'From publication, it gives without a cap of its own. What the cap cut off is not made up for.';
  const room = `From publication, it gives each user at most ${is.points} points in a ${is.per}.`;
  return was?.per === is.per
    ? `${room} What it has given in the present ${is.per} counts.`
    : `${room} It counts what the trigger gives while this cap is in force.`;
};
