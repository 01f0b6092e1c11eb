import type { Instant } from '@laurel/calendar';
import type { AccountFact, NewRecord } from '@laurel/contracts';
import { newEventId } from '@laurel/event-store';

/** A fact that concerns no single user, of this instant. */
export const accountRecord = (
  account: string,
  fact: AccountFact,
  configurationVersion: number,
  at: Instant,
): NewRecord => ({ eventId: newEventId(at), account, configurationVersion, occurredAt: at, recordedAt: at, fact });
