import { formatInstant } from '@laurel/calendar';
import { effectsOfType, type Effect } from '@laurel/kernel';
import type { Composer } from './composer.ts';
import { isOfNow } from './source-event.ts';
import { streakFields } from './streak-fields.ts';

export const periodMet =
  (type: 'StreakStarted' | 'StreakExtended'): Composer<'streak.started' | 'streak.extended'> =>
  ({ effects, configuration: { streak: definition } }) =>
    effectsOfType(effects, type).flatMap(({ at, length, period, after }) => {
      if (definition === null) return [];
      const streak = streakFields({ length, period, extendedAt: at, after }, definition);
      return [{ subject: streak.periodStart, at, fields: { streak } }];
    });

export const streakLost: Composer<'streak.lost'> = (event) =>
  effectsOfType(event.effects, 'StreakEnded')
    .filter((effect) => isOfNow(event, effect))
    .map(({ at, length }) => {
      const endedAt = formatInstant(at);
      return { subject: endedAt, at, fields: { length, endedAt } };
    });

/** Makes one outcome, however many periods were bridged. */
export const freezeConsumed: Composer<'streak.freeze_consumed'> = (event) => {
  const used = effectsOfType(event.effects, 'FreezeUsed').filter((effect) => isOfNow(event, effect));
  if (used.length === 0) return [];
  const freezes = heldAfter(event.effects);
  const fields = { consumed: used.length, ...(freezes !== undefined && { freezes }) };
  return [{ subject: '', at: Math.max(...used.map(({ at }) => at)), fields }];
};

/** How many freezes the user holds after the last effect on them; undefined if there is none. */
function heldAfter(effects: readonly Effect[]): number | undefined {
  let held: number | undefined;
  for (const effect of effects)
    if (effect.type === 'FreezeEarned' || effect.type === 'FreezesGranted' || effect.type === 'FreezeUsed')
      held = effect.held;
  return held;
}

/** Makes one outcome for all freezes that were earned recently or granted. */
export const freezeEarned: Composer<'streak.freeze_earned'> = (event) => {
  const at = event.record.occurredAt;
  let [earned, freezes] = [0, 0];
  for (const effect of event.effects)
    if (effect.type === 'FreezeEarned') {
      if (isOfNow(event, { at: effect.earnedAt ?? at })) earned += effect.earned;
      freezes = effect.held;
    } else if (effect.type === 'FreezesGranted') [earned, freezes] = [earned + effect.granted, effect.held];
    else if (effect.type === 'FreezeUsed') freezes -= 1;
  return earned > 0 ? [{ subject: '', at, fields: { earned, freezes } }] : [];
};
