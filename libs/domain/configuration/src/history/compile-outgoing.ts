import {
  ALWAYS_MADE,
  effectsOfOutcome,
  outcomesWithSetting,
  type AwardFilter,
  type OutcomeSetting,
  type OutgoingDefinition,
} from '@laurel/kernel';
import { keptMs, minutesOf, WEEKDAYS, type OutgoingDocument } from '@laurel/schemas';
import { canonicalEntries, typeOfEntry, type OutcomeEntry } from '../document/outcome-entries.ts';
import { AT_RISK_AT, REACTIVATION_DAYS, RECAP_AT } from '../document/outgoing-defaults.ts';

export function compileOutgoing(outgoing: OutgoingDocument | undefined): OutgoingDefinition | null {
  if (outgoing === undefined) return null;
  const { events, keep, atRisk, recap, reactivation, announceTop = 10 } = outgoing;
  const entries = canonicalEntries(events);
  const types = new Set([...entries.map(typeOfEntry), ...ALWAYS_MADE]);
  const needs = (setting: OutcomeSetting) => outcomesWithSetting(setting).some((type) => types.has(type));
  return {
    types,
    effects: new Set([...types].flatMap(effectsOfOutcome)),
    awards: entries.includes('points.changed') ? null : entries.flatMap(awardFilter),
    keepMs: keptMs(keep) ?? 0,
    atRisk: needs('atRisk') ? minutesOf(atRisk?.at ?? AT_RISK_AT) : null,
    announceTop,
    recap: needs('recap')
      ? { weekday: WEEKDAYS.indexOf(recap?.day ?? 'monday'), minutes: minutesOf(recap?.at ?? RECAP_AT) }
      : null,
    reactivation: needs('reactivation') ? (reactivation?.days ?? REACTIVATION_DAYS) : null,
  };
}

function awardFilter(entry: OutcomeEntry): readonly AwardFilter[] {
  if (typeof entry === 'string') return [];
  const { pointsSystems, triggers } = entry;
  return [{ pointsSystems: pointsSystems && new Set(pointsSystems), triggers: triggers && new Set(triggers) }];
}
