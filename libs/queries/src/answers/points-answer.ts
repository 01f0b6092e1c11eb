import { formatInstant } from '@laurel/calendar';
import {
  type AwardAnswer,
  type Configuration,
  type EventPoints,
  CORRECTION_TRIGGER,
  GRANT_TRIGGER,
  jsonAmount,
  jsonInteger,
  type LevelAnswer,
  levelReached,
  type LevelUsers,
  type LevelUsersAnswer,
  type PointsBucket,
  type PointsBucketAnswer,
  type PointsLevel,
  type PointsRange,
  type PointsRangeAnswer,
  type PointsSection,
  type PointsSystemAnswer,
  type PointsSystemDefinition,
  type PointsSystemOutcome,
  type PointsTrigger,
  type StoredAward,
  type TriggerAnswer,
  type UserPoints,
  dueAwardId,
  type AwardOwner,
} from '@laurel/contracts';

/** The systems in which a trigger fired, by key. Due time awards are none of the event's (specification, section 6). */
export function eventPoints(section: PointsSection, configuration: Configuration): Record<string, EventPoints> {
  const answers = section.systems.flatMap((outcome): [string, EventPoints][] => {
    const system = configuration.pointsSystemByKey.get(outcome.key);
    return system ? [[outcome.key, systemOutcome(system, outcome, section)]] : [];
  });
  return Object.fromEntries(answers);
}

function systemOutcome(
  system: PointsSystemDefinition,
  outcome: PointsSystemOutcome,
  section: PointsSection,
): EventPoints {
  const own = section.awards.filter((award) => award.system === system.key && !award.due);
  const findTrigger = (id: string) => system.triggers.find((trigger) => trigger.id === id) ?? null;
  return systemAnswer(system, {
    total: jsonInteger(outcome.total),
    added: jsonInteger(outcome.added),
    ...(outcome.level !== undefined && { level: levelNamed(system, outcome.level) }),
    awards: own.map((award) => storedAwardAnswer(award, award.id ?? '', findTrigger(award.triggerId))),
  });
}

type OutcomeFields = Pick<EventPoints, 'total' | 'added' | 'level' | 'awards'>;

/** A system in the answer to an event: what was added; `level` only if it changed. */
export function systemAnswer(
  system: PointsSystemDefinition,
  { total, added, level, awards }: OutcomeFields,
): EventPoints {
  return { ...systemFields(system), total, added, ...(level !== undefined && { level }), awards };
}

export function userPoints(
  system: PointsSystemDefinition,
  total: bigint,
  owner: AwardOwner,
  awards: readonly StoredAward[],
  findTrigger: (id: string) => PointsTrigger | null,
): UserPoints {
  const level = levelReached(system.levels, total);
  return {
    ...systemFields(system),
    total: jsonInteger(total),
    level: level ? levelAnswer(level) : null,
    awards: awards.map((award) => storedAwardAnswer(award, awardId(owner, award), findTrigger(award.triggerId))),
  };
}

export function pointsSystemAnswer(system: PointsSystemDefinition): PointsSystemAnswer {
  return { ...systemFields(system), triggers: system.triggers.map(triggerAnswer) };
}

export function pointsBucketAnswer({ date, total, change }: PointsBucket): PointsBucketAnswer {
  return { date, total: jsonInteger(total), change: jsonInteger(change) };
}

export function levelUsersAnswer({ level, users }: LevelUsers): LevelUsersAnswer {
  return { level: levelAnswer(level), users };
}

export function pointsRangeAnswer({ from, to, users }: PointsRange): PointsRangeAnswer {
  return { from: jsonInteger(from), to: jsonInteger(to), users };
}

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
    ...fieldsByType(trigger),
    userAttributes: [],
    created: published,
    updated: published,
  };
}

function fieldsByType(trigger: PointsTrigger): Partial<TriggerAnswer> {
  switch (trigger.type) {
    case 'metric': {
      const { metric, threshold } = trigger;
      return { metricId: metric.id, metricName: metric.name, metricThreshold: jsonAmount(threshold) };
    }
    case 'streak':
      return { streakLengthThreshold: trigger.length };
    case 'achievement':
      return { achievementId: trigger.achievement.id, achievementName: trigger.achievement.name };
    case 'user_creation':
      return {};
    case 'time':
      return { timeUnit: trigger.unit, timeInterval: trigger.interval };
  }
}

const awardId = (owner: AwardOwner, { id, triggerId, at }: StoredAward): string =>
  id ?? dueAwardId(owner, triggerId, at);

function storedAwardAnswer(
  { triggerId, awarded, total, at }: Pick<StoredAward, 'triggerId' | 'awarded' | 'total' | 'at'>,
  id: string,
  trigger: PointsTrigger | null,
): AwardAnswer {
  const award = { id, date: formatInstant(at), awarded: jsonInteger(awarded), total: jsonInteger(total) };
  if (triggerId !== GRANT_TRIGGER && triggerId !== CORRECTION_TRIGGER) return awardAnswer(award, trigger);
  return { ...award, trigger: byHand(triggerId, award) };
}

/** No trigger gave it: what clients read of one, of the grant or the correction itself. */
const byHand = (type: 'grant' | 'correction', { id, awarded, date }: Omit<AwardAnswer, 'trigger'>): TriggerAnswer => ({
  ...{ id, type, points: awarded, status: 'active', userAttributes: [], created: date, updated: date },
});

/** @param trigger null: no version holds it any more */
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

function systemFields({ id, key, name, description, badgeUrl, maxPoints }: PointsSystemDefinition) {
  return { id, key, name, description, badgeUrl, maxPoints: maxPoints === null ? null : jsonInteger(maxPoints) };
}
