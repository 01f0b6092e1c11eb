import { formatDay, formatInstant } from '@laurel/calendar';
import { effectsOfType } from '@laurel/kernel';
import { jsonAmount, jsonInteger } from '@laurel/schemas';
import type { Composer } from './composer.ts';
import { isInTime } from './source-event.ts';
import { streakFields } from './streak-fields.ts';

export const streakAtRisk: Composer<'streak.at_risk' | 'emails.streak_reminder_due'> = (event) => {
  const { streak: definition } = event.configuration;
  if (definition === null) return [];
  return effectsOfType(event.effects, 'StreakAtRisk')
    .filter((effect) => isInTime(event, effect))
    .map((effect) => {
      const streak = streakFields({ ...effect, after: effect }, definition);
      const missing = effect.missing.map(({ metric, amount }) => ({ metric, missing: jsonAmount(BigInt(amount)) }));
      const fields = { streak, expiresAt: formatInstant(effect.expiresAt), missing };
      return { subject: streak.periodStart, at: effect.at, fields };
    });
};

export const recapDue: Composer<'emails.recap_due'> = (event) =>
  effectsOfType(event.effects, 'RecapDue')
    .filter((effect) => isInTime(event, effect))
    .map(({ at, periodStart, periodEnd, totals }) => {
      const { points = new Map<string, bigint>(), streakLength = 0 } = event.standing ?? {};
      const recap = {
        periodStart: formatDay(periodStart),
        periodEnd: formatDay(periodEnd),
        totals: Object.fromEntries(totals.map(({ metric, total }) => [metric, jsonAmount(BigInt(total))])),
        points: Object.fromEntries([...points].map(([system, total]) => [system, jsonInteger(total)])),
        streakLength,
      };
      return { subject: recap.periodStart, at, fields: { recap } };
    });

export const reactivationDue: Composer<'emails.reactivation_due'> = (event) =>
  effectsOfType(event.effects, 'ReactivationDue')
    .filter((effect) => isInTime(event, effect))
    .map(({ at, message: messageNumber, days: daysSinceLastActive }) => {
      const fields = { reactivation: { messageNumber, daysSinceLastActive } };
      return { subject: String(messageNumber), at, fields };
    });
