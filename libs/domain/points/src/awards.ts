import { formatDay } from '@laurel/calendar';
import { effectsOfType, type Effect, type Occasion, type PointsAward } from '@laurel/kernel';
import type { StoredAward } from '@laurel/ports';
import { firedAwardId } from './award-id.ts';
import type { TimeAward } from './rules/due/time-awards.ts';

/** The awards of an occasion, in order of recording. */
export function awardsOf({ eventId }: Pick<Occasion, 'eventId'>, effects: readonly Effect[]): readonly PointsAward[] {
  return effectsOfType(effects, 'PointsAwarded').map(({ system, triggerId, awarded, total, at, day, due, boosts }) => ({
    id: due ? null : firedAwardId(eventId, triggerId, system),
    system,
    triggerId,
    awarded: BigInt(awarded),
    total: BigInt(total),
    at,
    date: formatDay(day),
    due,
    ...(boosts && { boosts }),
  }));
}

/** A time award that is due but not recorded. */
export const unrecordedAward = ({ span: { triggerId }, at, awarded, total }: TimeAward): StoredAward => ({
  id: null,
  triggerId,
  awarded: BigInt(awarded),
  total: BigInt(total),
  at,
});
