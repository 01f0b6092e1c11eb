import { formatInstant } from '@laurel/calendar';
import {
  isBuiltInTrigger,
  pointsTriggerKind,
  type AnsweredPointsTrigger,
  type BuiltInTrigger,
  type LevelsBy,
  type PointsLevel,
  type PointsStanding,
  type PointsSystemDefinition,
  type PointsTrigger,
} from '@laurel/kernel';
import type { StoredAward } from '@laurel/ports';
import type { AwardAnswer, EventPoints, LevelAnswer, TriggerAnswer } from './points.ts';
import { answeredFields } from './declared-answer.ts';
import { jsonInteger } from './write-json.ts';

type OutcomeFields = Pick<EventPoints, 'total' | 'added' | 'level' | 'awards'>;

/** A system in the answer to an event; `level` only if it changed. */
export function systemAnswer(
  system: PointsSystemDefinition,
  { total, added, level, awards }: OutcomeFields,
): EventPoints {
  return { ...pointsSystemFields(system), total, added, ...(level !== undefined && { level }), awards };
}

/** The total, and what was earned if the levels follow it. */
export const standingAnswer = (levelsBy: LevelsBy, { total, earned }: PointsStanding<bigint>) => ({
  total: jsonInteger(total),
  ...(levelsBy === 'earned' && { earned: jsonInteger(earned) }),
});

export function levelAnswer({ id, key, name, description, badgeUrl, points }: PointsLevel): LevelAnswer {
  return { id, key, name, description: description ?? '', badgeUrl, points: jsonInteger(points) };
}

export function triggerAnswer(trigger: PointsTrigger): TriggerAnswer {
  const { id, type, points, publishedAt } = trigger;
  const published = formatInstant(publishedAt);
  return {
    id,
    type,
    points: jsonInteger(points),
    status: 'active',
    ...answeredFields<AnsweredPointsTrigger>(pointsTriggerKind(trigger.type).answer, trigger),
    userAttributes: [],
    created: published,
    updated: published,
  };
}

export function storedAwardAnswer(
  { triggerId, awarded, total, at }: Pick<StoredAward, 'triggerId' | 'awarded' | 'total' | 'at'>,
  id: string,
  trigger: PointsTrigger | null,
): AwardAnswer {
  const award = { id, date: formatInstant(at), awarded: jsonInteger(awarded), total: jsonInteger(total) };
  return isBuiltInTrigger(triggerId)
    ? { ...award, trigger: builtInAnswer(triggerId, award) }
    : awardAnswer(award, trigger);
}

/** Takes the place of the trigger in an award that no trigger of the configuration gave. */
const builtInAnswer = (type: BuiltInTrigger, { id, awarded, date }: Omit<AwardAnswer, 'trigger'>): TriggerAnswer => ({
  id,
  type,
  points: awarded,
  status: 'active',
  userAttributes: [],
  created: date,
  updated: date,
});

/** @param trigger null if no version has the trigger any more */
export function awardAnswer(
  { id, awarded, date, total }: Omit<AwardAnswer, 'trigger'>,
  trigger: PointsTrigger | null,
): AwardAnswer {
  return { id, awarded, date, total, trigger: trigger && triggerAnswer(trigger) };
}

export function levelNamed(system: PointsSystemDefinition, key: string | null): LevelAnswer | null {
  const level = system.levels.find((known) => known.key === key);
  return level ? levelAnswer(level) : null;
}

/** The fields of a points system that every answer shows. */
export function pointsSystemFields({ id, key, name, description, badgeUrl, maxPoints }: PointsSystemDefinition) {
  return { id, key, name, description, badgeUrl, maxPoints: maxPoints === null ? null : jsonInteger(maxPoints) };
}
