import { formatDay, formatInstant, nextPeriodStart, type Day, type Instant } from '@laurel/calendar';
import type { StreakAfter, StreakDefinition } from '@laurel/kernel';
import { freezeFields } from '@laurel/schemas';

export interface StreakAt {
  readonly length: number;
  /** First day of the period that is shown. */
  readonly period: Day;
  readonly extendedAt: Instant;
  /** undefined if the version of the event named no type that shows it. */
  readonly after: StreakAfter | undefined;
}

/** `streak` in a body, as reads show it. */
export function streakFields(
  { length, period, extendedAt, after }: StreakAt,
  { frequency, period: rule, freezes }: StreakDefinition,
) {
  return {
    length,
    frequency,
    started: after === undefined ? null : formatDay(after.startedOn),
    periodStart: formatDay(period),
    periodEnd: formatDay(nextPeriodStart(period, rule) - 1),
    expires: after === undefined ? null : formatDay(after.expiresOn),
    extended: formatInstant(extendedAt),
    ...(after !== undefined && freezeFields(after.held, freezes)),
  };
}
