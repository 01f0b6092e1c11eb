import { formatDay, formatInstant, nextPeriodStart } from '@laurel/calendar';
import { effectsOfType, freezeFields, jsonAmount, type StreakAtRisk, type StreakDefinition } from '@laurel/contracts';
import { isInTime, type Happening, type HappeningsOf, type Occurrence } from './occurrence.ts';

export const streakAtRisk: HappeningsOf = (occurrence) => atRisk('streak.at_risk', occurrence);
export const streakReminderDue: HappeningsOf = (occurrence) => atRisk('emails.streak_reminder_due', occurrence);

function atRisk(type: 'streak.at_risk' | 'emails.streak_reminder_due', occurrence: Occurrence): readonly Happening[] {
  const { streak: definition } = occurrence.configuration;
  if (definition === null) return [];
  return effectsOfType(occurrence.effects, 'StreakAtRisk')
    .filter((effect) => isInTime(occurrence, effect))
    .map((effect) => {
      const streak = streakIn(effect, definition);
      const missing = effect.missing.map(({ metric, amount }) => ({ metric, missing: jsonAmount(BigInt(amount)) }));
      const fields = { streak, expiresAt: formatInstant(effect.expiresAt), missing };
      return { type, subject: streak.periodStart, at: effect.at, fields };
    });
}

function streakIn(
  { length, startedOn, extendedAt, period, expiresOn, held }: StreakAtRisk,
  { frequency, period: rule, freezes }: StreakDefinition,
) {
  return {
    length,
    frequency,
    started: formatDay(startedOn),
    periodStart: formatDay(period),
    periodEnd: formatDay(nextPeriodStart(period, rule) - 1),
    expires: formatDay(expiresOn),
    extended: formatInstant(extendedAt),
    ...freezeFields(held, freezes),
  };
}
