import { formatInstant } from '@laurel/calendar';
import {
  effectsOfType,
  type Configuration,
  type Effect,
  type StreakExtended,
  type StreakStarted,
} from '@laurel/kernel';
import { isOfNow, type Happening, type HappeningsOf } from './occurrence.ts';
import { streakTold } from './streak-told.ts';

export const streakStarted: HappeningsOf = ({ effects, configuration }) =>
  effectsOfType(effects, 'StreakStarted').flatMap((effect) => met('streak.started', effect, configuration));

export const streakExtended: HappeningsOf = ({ effects, configuration }) =>
  effectsOfType(effects, 'StreakExtended').flatMap((effect) => met('streak.extended', effect, configuration));

function met(
  type: 'streak.started' | 'streak.extended',
  { at, length, period, after }: StreakStarted | StreakExtended,
  { streak: definition }: Configuration,
): readonly Happening[] {
  if (definition === null) return [];
  const streak = streakTold({ length, period, extendedAt: at, after }, definition);
  return [{ type, subject: streak.periodStart, at, fields: { streak } }];
}

export const streakLost: HappeningsOf = (occurrence) =>
  effectsOfType(occurrence.effects, 'StreakEnded')
    .filter((effect) => isOfNow(occurrence, effect))
    .map(({ at, length }) => {
      const endedAt = formatInstant(at);
      return { type: 'streak.lost', subject: endedAt, at, fields: { length, endedAt } };
    });

/** One, however many periods were bridged. */
export const freezeConsumed: HappeningsOf = (occurrence) => {
  const used = effectsOfType(occurrence.effects, 'FreezeUsed').filter((effect) => isOfNow(occurrence, effect));
  if (used.length === 0) return [];
  const freezes = heldAfter(occurrence.effects);
  const fields = { consumed: used.length, ...(freezes !== undefined && { freezes }) };
  return [{ type: 'streak.freeze_consumed', subject: '', at: Math.max(...used.map(({ at }) => at)), fields }];
};

/** How many are held, as the last effect says that changed it. undefined: none says. */
function heldAfter(effects: readonly Effect[]): number | undefined {
  let held: number | undefined;
  for (const effect of effects)
    if (effect.type === 'FreezeEarned' || effect.type === 'FreezesGranted' || effect.type === 'FreezeUsed')
      held = effect.held;
  return held;
}

/** Earned since the past, or given by a grant: one, however often. */
export const freezeEarned: HappeningsOf = (occurrence) => {
  const at = occurrence.record.occurredAt;
  let [earned, freezes] = [0, 0];
  for (const effect of occurrence.effects)
    if (effect.type === 'FreezeEarned') {
      if (isOfNow(occurrence, { at: effect.earnedAt ?? at })) earned += effect.earned;
      freezes = effect.held;
    } else if (effect.type === 'FreezesGranted') [earned, freezes] = [earned + effect.granted, effect.held];
    else if (effect.type === 'FreezeUsed') freezes -= 1;
  return earned > 0 ? [{ type: 'streak.freeze_earned', subject: '', at, fields: { earned, freezes } }] : [];
};
