import { formatAmount } from '@laurel/amounts';
import { formatDay, formatInstant, type Day, type Frequency } from '@laurel/calendar';
import {
  effectKind,
  isBuiltInTrigger,
  plural,
  pointsTriggerKind,
  type BuiltInTrigger,
  type Configuration,
  type ConfigurationHistory,
  type Effect,
  type EffectNaming,
  type RecordedEvent,
  type Grant,
  type PointsAwarded,
  type StreakDefinition,
  type RecordedUserEvent,
} from '@laurel/kernel';
import { requestWords } from './request-answer.ts';

/** Sources of names: the version under which the event was applied, and the history for removed triggers. */
export interface Named {
  readonly configuration: Configuration;
  readonly history: Pick<ConfigurationHistory, 'findTrigger'>;
}

export const namedAt = (history: ConfigurationHistory, version: number): Named => ({
  configuration: history.at(version),
  history,
});

/** A recorded event in words: amounts first, names for keys. */
export function eventWords(fact: RecordedEvent['fact'] | RecordedUserEvent['fact'], { configuration }: Named): string {
  switch (fact.type) {
    case 'MetricEventRecorded':
      return `${formatAmount(fact.value)} ${metricName(configuration, fact.metric)}`;
    case 'UserIdentified':
      return 'profile changed';
    case 'AchievementCompletedByCall':
      return `${achievementName(configuration, fact.achievement)} completed by call`;
    case 'GrantRecorded':
      return `${grantWords(fact.grant, configuration)} by hand`;
    case 'SpendRequested':
    case 'RefundRequested':
      return requestWords(fact, systemName(configuration, fact.system));
    case 'CorrectionRecorded':
      return `${plural(fact.corrections.length, 'event')} corrected`;
    case 'UserErased':
      return 'user erased';
    case 'UsersSwept':
    case 'UserSwept':
      return 'time passed';
    default:
      return fact.type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  }
}

function grantWords(grant: Grant, configuration: Configuration): string {
  switch (grant.kind) {
    case 'points':
      return grant.amount < 0n
        ? `${-grant.amount} ${systemName(configuration, grant.system)} taken`
        : `${grant.amount} ${systemName(configuration, grant.system)} given`;
    case 'boost': {
      const boost = `${grant.name} (${systemName(configuration, grant.system)} × ${grant.multiplier / 100})`;
      return 'until' in grant.lasts
        ? `${boost} given until ${formatInstant(grant.lasts.until)}`
        : `${boost} given for ${plural(grant.lasts.minutes, 'minute')}`;
    }
    case 'freezes':
      return `${plural(grant.amount, 'streak freeze')} given`;
    case 'streak':
      return 'streak restored';
    case 'excused':
      return `${grant.from === grant.to ? grant.from : `${grant.from} to ${grant.to}`} excused`;
    case 'achievement':
      return `${achievementName(configuration, grant.achievement)} completed`;
    case 'revocation':
      return `${achievementName(configuration, grant.achievement)} revoked`;
  }
}

/** An effect in words: amounts first, names for keys. */
export function effectWords(effect: Effect, named: Named): string {
  const words = effectKind(effect.type).words as (effect: Effect, naming: EffectNaming) => string;
  return words(effect, namingOf(named));
}

function namingOf({ configuration, history }: Named): EffectNaming {
  const { streak } = configuration;
  return {
    metric: (key) => metricName(configuration, key),
    achievement: (key) => achievementName(configuration, key),
    system: (key) => systemName(configuration, key),
    level: (system, key) => levelName(configuration, system, key),
    levelsOf: (system) => levelsName(configuration, system),
    streak: (length) => streakWords(length, streak),
    streakOf: (generation, length) => streakWords(length, streak?.generation === generation ? streak : null),
    period: (first) => periodWords(first, configuration),
    award: (award) => sourceOf(award, history),
    run: (board, run) => runWords(board, run, configuration),
  };
}

/** The source of an award, in words. */
function sourceOf(
  { triggerId, awarded }: Pick<PointsAwarded, 'triggerId' | 'awarded'>,
  history: Named['history'],
): string {
  if (isBuiltInTrigger(triggerId)) return BUILT_IN_SOURCES[triggerId];
  const trigger = history.findTrigger(triggerId);
  if (trigger === null) return `${BigInt(awarded) < 0n ? 'taken' : 'given'} by a removed trigger`;
  return pointsTriggerKind(trigger.type).source(trigger);
}

const BUILT_IN_SOURCES: Readonly<Record<BuiltInTrigger, string>> = {
  grant: 'by hand',
  correction: 'by the correction',
  spend: 'by a spend',
  refund: 'by a refund',
};

function runWords(board: string, run: Day, { leaderboardByKey }: Configuration): string {
  const known = leaderboardByKey.get(board);
  return `${known?.name ?? board}${known?.run ? `, run of ${formatDay(run)}` : ''}`;
}

const UNITS: Readonly<Record<Frequency, string>> = { daily: 'day', weekly: 'week', monthly: 'month' };

const streakWords = (length: number, streak: StreakDefinition | null): string =>
  `streak of ${plural(length, streak === null ? 'period' : UNITS[streak.frequency])}`;

const periodWords = (first: Day, { streak }: Configuration): string =>
  streak === null || streak.frequency === 'daily'
    ? formatDay(first)
    : `the ${UNITS[streak.frequency]} from ${formatDay(first)}`;

const metricName = ({ metricByKey }: Configuration, key: string): string => metricByKey.get(key)?.name ?? key;
const achievementName = ({ achievementByKey }: Configuration, key: string): string =>
  achievementByKey.get(key)?.name ?? key;
const systemName = ({ pointsSystemByKey }: Configuration, key: string): string =>
  pointsSystemByKey.get(key)?.name ?? key;
const levelsName = (configuration: Configuration, system: string): string =>
  configuration.pointsSystemByKey.get(system)?.levelsBy === 'earned'
    ? `${systemName(configuration, system)} (by points earned)`
    : systemName(configuration, system);
const levelName = ({ pointsSystemByKey }: Configuration, system: string, key: string): string =>
  pointsSystemByKey.get(system)?.levels.find((level) => level.key === key)?.name ?? key;
