import { formatDay, formatInstant } from '@laurel/calendar';
import { effectsOfType } from '@laurel/kernel';
import { jsonAmount, jsonInteger } from '@laurel/schemas';
import { isInTime, type Happening, type HappeningsOf, type Occurrence } from './occurrence.ts';
import { streakTold } from './streak-told.ts';

export const streakAtRisk: HappeningsOf = (occurrence) => atRisk('streak.at_risk', occurrence);
export const streakReminderDue: HappeningsOf = (occurrence) => atRisk('emails.streak_reminder_due', occurrence);

function atRisk(type: 'streak.at_risk' | 'emails.streak_reminder_due', occurrence: Occurrence): readonly Happening[] {
  const { streak: definition } = occurrence.configuration;
  if (definition === null) return [];
  return effectsOfType(occurrence.effects, 'StreakAtRisk')
    .filter((effect) => isInTime(occurrence, effect))
    .map((effect) => {
      const streak = streakTold({ ...effect, after: effect }, definition);
      const missing = effect.missing.map(({ metric, amount }) => ({ metric, missing: jsonAmount(BigInt(amount)) }));
      const fields = { streak, expiresAt: formatInstant(effect.expiresAt), missing };
      return { type, subject: streak.periodStart, at: effect.at, fields };
    });
}

export const recapDue: HappeningsOf = (occurrence) =>
  effectsOfType(occurrence.effects, 'RecapDue')
    .filter((effect) => isInTime(occurrence, effect))
    .map(({ at, periodStart, periodEnd, totals }) => {
      const { points = new Map<string, bigint>(), streakLength = 0 } = occurrence.standing ?? {};
      const recap = {
        periodStart: formatDay(periodStart),
        periodEnd: formatDay(periodEnd),
        totals: Object.fromEntries(totals.map(({ metric, total }) => [metric, jsonAmount(BigInt(total))])),
        points: Object.fromEntries([...points].map(([system, total]) => [system, jsonInteger(total)])),
        streakLength,
      };
      return { type: 'emails.recap_due', subject: recap.periodStart, at, fields: { recap } };
    });

export const reactivationDue: HappeningsOf = (occurrence) =>
  effectsOfType(occurrence.effects, 'ReactivationDue')
    .filter((effect) => isInTime(occurrence, effect))
    .map(({ at, message: messageNumber, days: daysSinceLastActive }) => {
      const fields = { reactivation: { messageNumber, daysSinceLastActive } };
      return { type: 'emails.reactivation_due', subject: String(messageNumber), at, fields };
    });
