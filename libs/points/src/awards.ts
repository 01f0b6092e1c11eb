import { formatDay } from '@laurel/calendar';
import { effectsOfType, type Effect, type Occasion, type PointsAward, type StoredAward } from '@laurel/contracts';
import { dueAwardId, firedAwardId } from './award-id.ts';
import type { TimeAward } from './rules/due/time-awards.ts';

/** The awards of an occasion, in order of recording. */
export function awardsOf({ account, userId, eventId }: Occasion, effects: readonly Effect[]): readonly PointsAward[] {
  return effectsOfType(effects, 'PointsAwarded').map(({ system, triggerId, awarded, total, at, day, due }) => ({
    id: due ? dueAwardId(account, userId, system, triggerId, at) : firedAwardId(eventId, triggerId),
    system,
    triggerId,
    awarded: BigInt(awarded),
    total: BigInt(total),
    at,
    date: formatDay(day),
    due,
  }));
}

/** A due time award as it is read before it is recorded. */
export function unrecordedAward(
  account: string,
  userId: string,
  system: string,
  { span: { triggerId }, at, awarded, total }: TimeAward,
): StoredAward {
  const id = dueAwardId(account, userId, system, triggerId, at);
  return { id, triggerId, awarded: BigInt(awarded), total: BigInt(total), at };
}
