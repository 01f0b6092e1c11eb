import { formatDay, formatInstant, nextPeriodStart } from '@laurel/calendar';
import { effectsOfType, type Configuration, type StreakExtended, type StreakStarted } from '@laurel/contracts';
import { isOfNow, type Happening, type HappeningsOf } from './occurrence.ts';

export const streakStarted: HappeningsOf = ({ effects, configuration }) =>
  effectsOfType(effects, 'StreakStarted').flatMap((effect) => met('streak.started', effect, configuration));

export const streakExtended: HappeningsOf = ({ effects, configuration }) =>
  effectsOfType(effects, 'StreakExtended').flatMap((effect) => met('streak.extended', effect, configuration));

function met(
  type: 'streak.started' | 'streak.extended',
  { at, length, period }: StreakStarted | StreakExtended,
  { streak }: Configuration,
): readonly Happening[] {
  if (streak === null) return [];
  const periodStart = formatDay(period);
  const periodEnd = formatDay(nextPeriodStart(period, streak.period) - 1);
  const fields = { length, frequency: streak.frequency, periodStart, periodEnd, extended: formatInstant(at) };
  return [{ type, subject: periodStart, at, fields: { streak: fields } }];
}

export const streakLost: HappeningsOf = (occurrence) =>
  effectsOfType(occurrence.effects, 'StreakEnded')
    .filter((effect) => isOfNow(occurrence, effect))
    .map(({ at, length }) => {
      const endedAt = formatInstant(at);
      return { type: 'streak.lost', subject: endedAt, at, fields: { length, endedAt } };
    });

/** One, however many periods were bridged. How many are held then, an effect tells that says how many there were before. */
export const freezeConsumed: HappeningsOf = (occurrence) => {
  let held: number | undefined;
  let [consumed, at] = [0, 0];
  for (const effect of occurrence.effects)
    if (effect.type === 'FreezeEarned' || effect.type === 'FreezesGranted') held = effect.held;
    else if (effect.type === 'FreezeUsed') {
      if (held !== undefined) held -= 1;
      if (!isOfNow(occurrence, effect)) continue;
      consumed += 1;
      at = Math.max(at, effect.at);
    }
  if (consumed === 0) return [];
  const fields = { consumed, ...(held !== undefined && { freezes: held }) };
  return [{ type: 'streak.freeze_consumed', subject: '', at, fields }];
};

/** Earned, or given by a grant: one, however often. */
export const freezeEarned: HappeningsOf = ({ effects, record: { occurredAt: at } }) => {
  let [earned, freezes] = [0, 0];
  for (const effect of effects)
    if (effect.type === 'FreezeEarned') [earned, freezes] = [earned + effect.earned, effect.held];
    else if (effect.type === 'FreezesGranted') [earned, freezes] = [earned + effect.granted, effect.held];
    else if (effect.type === 'FreezeUsed') freezes -= 1;
  return earned > 0 ? [{ type: 'streak.freeze_earned', subject: '', at, fields: { earned, freezes } }] : [];
};
