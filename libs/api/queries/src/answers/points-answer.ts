import {
  type Configuration,
  type ConfigurationHistory,
  levelOf,
  type PointsAnswer,
  type PointsStanding,
  type PointsSystemDefinition,
  type PointsSystemOutcome,
  dueAwardId,
  type AwardOwner,
  type PointsRange,
} from '@laurel/kernel';
import type { Instant } from '@laurel/calendar';
import type { LevelUsers, PointsBucket, StoredAward } from '@laurel/ports';
import {
  type EventPoints,
  jsonInteger,
  levelAnswer,
  levelNamed,
  type LevelUsersAnswer,
  type PointsBucketAnswer,
  type PointsRangeAnswer,
  type PointsSystemAnswer,
  pointsSystemFields,
  standingAnswer,
  storedAwardAnswer,
  systemAnswer,
  triggerAnswerAt,
  type UserPoints,
} from '@laurel/schemas';

/** The systems in which a trigger fired, by key. Due time awards do not belong to the event (specification, section 6). */
export function eventPoints(section: PointsAnswer, configuration: Configuration): Record<string, EventPoints> {
  const answers = section.systems.flatMap((outcome): [string, EventPoints][] => {
    const system = configuration.pointsSystemByKey.get(outcome.key);
    return system ? [[outcome.key, systemOutcome(system, outcome, section)]] : [];
  });
  return Object.fromEntries(answers);
}

function systemOutcome(
  system: PointsSystemDefinition,
  outcome: PointsSystemOutcome,
  section: PointsAnswer,
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

interface ShownPoints {
  readonly owner: AwardOwner;
  readonly standing: PointsStanding<bigint>;
  readonly awards: readonly StoredAward[];
}

export function userPoints(
  system: PointsSystemDefinition,
  { owner, standing, awards }: ShownPoints,
  history: Pick<ConfigurationHistory, 'findTrigger'>,
  at: Instant,
): UserPoints {
  const level = levelOf(system, standing);
  return {
    ...pointsSystemFields(system),
    ...standingAnswer(system.levelsBy, standing),
    level: level ? levelAnswer(level) : null,
    awards: awards.map((award) => {
      const id = award.id ?? dueAwardId(owner, award.triggerId, award.at);
      return storedAwardAnswer(award, id, history.findTrigger(award.triggerId), at);
    }),
  };
}

export function pointsSystemAnswer(system: PointsSystemDefinition, at: Instant): PointsSystemAnswer {
  return { ...pointsSystemFields(system), triggers: system.triggers.map((trigger) => triggerAnswerAt(trigger, at)) };
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
