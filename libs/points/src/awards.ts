import { localDate, type LocalDate, type Zone } from '@laurel/calendar';
import type { ChainMessage, PointsAward, StoredAward } from '@laurel/contracts';
import { dueAwardId, firedAwardId } from './award-id.ts';
import type { FiredAward } from './rules/fire.ts';
import type { DueAward } from './rules/settle.ts';

/** A due time award as it is recorded: placed by the clock in force at its instant, the one before the record. */
export function dueAward(account: string, userId: string, award: DueAward, clock: Zone): PointsAward {
  return {
    ...storedDueAward(account, userId, award),
    system: award.system,
    date: localDate(award.at, clock),
    due: true,
  };
}

/** A due time award as it is read, recorded or not. */
export function storedDueAward(account: string, userId: string, award: DueAward): StoredAward {
  const { system, trigger, awarded, total, at } = award;
  return { id: dueAwardId(account, userId, system, trigger.id, at), triggerId: trigger.id, awarded, total, at };
}

/** An award that the record itself caused, dated at the record's instant; `date` is that instant's on the user's clock. */
export function firedAward(record: ChainMessage['record'], award: FiredAward, date: LocalDate): PointsAward {
  const { eventId, occurredAt } = record;
  return { id: firedAwardId(eventId, award.triggerId), ...award, at: occurredAt, date, due: false };
}
