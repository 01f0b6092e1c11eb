import type { Instant } from '@laurel/calendar';
import type { AccountFact, NewRecord } from '@laurel/kernel';
import { newEventId } from '@laurel/event-store';

/** A fact that concerns no single user, of this instant, or recorded then of an earlier one. */
export const accountRecord = (
  account: string,
  fact: AccountFact,
  configurationVersion: number,
  at: Instant,
  occurredAt = at,
): NewRecord => ({ eventId: newEventId(at), account, configurationVersion, occurredAt, recordedAt: at, fact });
