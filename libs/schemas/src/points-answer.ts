import { formatInstant, type Instant } from '@laurel/calendar';
import {
  isBuiltInTrigger,
  pointsTriggerKind,
  statusAt,
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
import { awardBoosts } from './boosts.ts';
import { conditionsAnswer } from './conditions-answer.ts';
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

export const triggerAnswerAt = (trigger: PointsTrigger, at: Instant): TriggerAnswer =>
  triggerAnswer(trigger, statusAt(trigger, at));

function triggerAnswer(trigger: PointsTrigger, status: TriggerAnswer['status']): TriggerAnswer {
  const { id, type, points, publishedAt } = trigger;
  const published = formatInstant(publishedAt);
  return {
    id,
    type,
    points: jsonInteger(points),
    status,
    ...answeredFields<AnsweredPointsTrigger>(pointsTriggerKind(trigger.type).answer, trigger),
    ...conditionsAnswer('where' in trigger ? trigger.where : null),
    created: published,
    updated: published,
  };
}

/** @param shownAt when it is shown; default: as of the award */
export function storedAwardAnswer(
  { triggerId, awarded, total, at, boosts }: Omit<StoredAward, 'id'>,
  id: string,
  trigger: PointsTrigger | null,
  shownAt: Instant = at,
): AwardAnswer {
  const award = { id, date: formatInstant(at), awarded: jsonInteger(awarded), total: jsonInteger(total) };
  if (isBuiltInTrigger(triggerId)) return { ...award, trigger: builtInAnswer(triggerId, award) };
  return { ...withTrigger(award, trigger && triggerAnswerAt(trigger, shownAt)), ...awardBoosts(boosts, at) };
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

/**
 * The award of a trigger that was active then.
 *
 * @param trigger null if no version has the trigger any more
 */
export function awardAnswer(
  { id, awarded, date, total }: Omit<AwardAnswer, 'trigger'>,
  trigger: PointsTrigger | null,
): AwardAnswer {
  return withTrigger({ id, awarded, date, total }, trigger && triggerAnswer(trigger, 'active'));
}

const withTrigger = (
  { id, awarded, date, total }: Omit<AwardAnswer, 'trigger'>,
  trigger: TriggerAnswer | null,
): AwardAnswer => ({ id, awarded, date, total, trigger });

export function levelNamed(system: PointsSystemDefinition, key: string | null): LevelAnswer | null {
  const level = system.levels.find((known) => known.key === key);
  return level ? levelAnswer(level) : null;
}

/** The fields of a points system that every answer shows. */
export function pointsSystemFields({ id, key, name, description, badgeUrl, maxPoints }: PointsSystemDefinition) {
  return { id, key, name, description, badgeUrl, maxPoints: maxPoints === null ? null : jsonInteger(maxPoints) };
}
