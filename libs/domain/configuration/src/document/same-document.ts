import { isDeepStrictEqual } from 'node:util';
import { formatInstant } from '@laurel/calendar';
import { pointsTriggerFields, type WrittenConditions } from '@laurel/kernel';
import {
  configurationDocument,
  type AchievementDocument,
  type AttributesDocument,
  type BoostDocument,
  type ConfigurationDocument,
  type OutgoingDocument,
  type PointsSystemDocument,
  type PointsTriggerDocument,
  type StreakDocument,
} from '@laurel/schemas';
import { canonicalEntries } from './outcome-entries.ts';
import { AT_RISK_AT, REACTIVATION_DAYS, RECAP_AT } from './outgoing-defaults.ts';
import { storedDocument } from './stored-document.ts';
import { canonicalConditions, instantIn } from './trigger-content.ts';
import { isAccepted } from './validate-document.ts';

/**
 * Whether two documents mean the same. Differences do not count in the order of fields, in spelled-out defaults, in the
 * notation of instants, and in the order of lists without a meaningful order (streak conditions, levels, caps, types of
 * outcomes). @throws Error if either is not a document.
 */
export function sameDocument(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(canonical(a), canonical(b));
}

const canonicals = new WeakMap<object, ConfigurationDocument>();

/**
 * The canonical form of a document: every default filled in, instants in one notation, types of outcomes named,
 * conditions sorted by metric, levels by points, caps by period. Like a document of the log, it has no undefined fields, and 0 instead
 * of -0. Computed once for each object.
 * @throws Error if it is not a document
 */
export function canonical(value: unknown): ConfigurationDocument {
  if (typeof value !== 'object' || value === null) return makeCanonical(value);
  const known = canonicals.get(value) ?? makeCanonical(value);
  canonicals.set(value, known);
  return known;
}

function makeCanonical(value: unknown): ConfigurationDocument {
  const { attributes, streak, achievements, points, outgoing, ...rest } = isAccepted(value)
    ? value
    : configurationDocument.parse(storedDocument(value));
  const ordered = {
    ...rest,
    attributes: attributes && canonicalAttributes(attributes),
    streak: streak && canonicalStreak(streak),
    achievements: achievements.map(canonicalAchievement),
    points: points.map(canonicalPoints),
    outgoing: outgoing && canonicalOutgoing(outgoing),
  };
  return JSON.parse(JSON.stringify(ordered)) as ConfigurationDocument;
}

const canonicalAttributes = ({ user, event }: AttributesDocument) => ({
  user: [...new Set(user)].sort(),
  event: [...new Set(event)].sort(),
});

function canonicalStreak(streak: StreakDocument) {
  return { ...streak, conditions: streak.conditions.toSorted((a, b) => (a.metric < b.metric ? -1 : 1)) };
}

function canonicalAchievement(achievement: AchievementDocument) {
  const { activeFrom, activeUntil, where } = achievement;
  return {
    ...achievement,
    activeFrom: canonicalInstant(activeFrom),
    activeUntil: canonicalInstant(activeUntil),
    where: where && canonicalConditions(where),
  };
}

/** Instants have several notations. */
function canonicalInstant(text: string | null): string | null {
  const at = instantIn(text);
  return at === null ? null : formatInstant(at);
}

function canonicalOutgoing(outgoing: OutgoingDocument) {
  const { atRisk = { at: AT_RISK_AT }, recap = { day: 'monday', at: RECAP_AT } } = outgoing;
  const { reactivation = { days: REACTIVATION_DAYS } } = outgoing;
  return { ...outgoing, atRisk, recap, reactivation, events: canonicalEntries(outgoing.events) };
}

function canonicalPoints(system: PointsSystemDocument) {
  const levels = system.levels.toSorted((a, b) => a.points - b.points);
  const caps = system.caps.toSorted((a, b) => (a.per < b.per ? -1 : 1));
  return {
    ...system,
    caps,
    triggers: system.triggers.map(canonicalTrigger),
    levels,
    boosts: system.boosts.map(canonicalBoost),
  };
}

function canonicalBoost(boost: BoostDocument) {
  const { start, end, where } = boost;
  return {
    ...boost,
    start: canonicalInstant(start),
    end: canonicalInstant(end),
    where: where && canonicalConditions(where),
  };
}

function canonicalTrigger(trigger: PointsTriggerDocument) {
  const instants = new Set(pointsTriggerFields(trigger.type, 'optional instant'));
  const conditions = new Set(pointsTriggerFields(trigger.type, 'optional conditions'));
  const written = Object.entries(trigger).map(([name, value]: [string, unknown]) => {
    if (conditions.has(name)) return [name, value && canonicalConditions(value as WrittenConditions)] as const;
    return [name, instants.has(name) ? canonicalInstant(value as string | null) : value] as const;
  });
  return Object.fromEntries(written);
}
