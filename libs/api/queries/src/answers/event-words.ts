import { formatAmount, type Exact } from '@laurel/amounts';
import { formatDay, formatInstant, type Day, type Frequency } from '@laurel/calendar';
import {
  CORRECTION_TRIGGER,
  GRANT_TRIGGER,
  pointsTriggerKind,
  type Configuration,
  type ConfigurationHistory,
  type Effect,
  type LogRecord,
  type Grant,
  type PointsAwarded,
  type RankChanged,
  type UserRecord,
} from '@laurel/kernel';

/** Where the names stand: in the version under which the event was applied, and those of removed triggers in the history. */
export interface Named {
  readonly configuration: Configuration;
  readonly history: Pick<ConfigurationHistory, 'findTrigger'>;
}

export const namedAt = (history: ConfigurationHistory, version: number): Named => ({
  configuration: history.at(version),
  history,
});

/** What a recorded event is, in words; amounts first, names for keys. */
export function eventWords(fact: LogRecord['fact'] | UserRecord['fact'], { configuration }: Named): string {
  switch (fact.type) {
    case 'MetricEventRecorded':
      return `${formatAmount(fact.value)} ${metricName(configuration, fact.metric)}`;
    case 'UserIdentified':
      return 'profile changed';
    case 'AchievementCompletedByCall':
      return `${achievementName(configuration, fact.achievement)} completed by call`;
    case 'GrantRecorded':
      return `${grantWords(fact.grant, configuration)} by hand`;
    case 'CorrectionRecorded':
      return `${counted(fact.corrections.length, 'event')} corrected`;
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
    case 'freezes':
      return `${counted(grant.amount, 'streak freeze')} given`;
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

/** What an event caused, in words; amounts first, names for keys. */
export function effectWords(effect: Effect, named: Named): string {
  const { configuration } = named;
  switch (effect.type) {
    case 'UserCreated':
      return 'new user';
    case 'UserForgotten':
      return 'user is counted no more';
    case 'ZoneChanged':
      return `time zone ${effect.to}, was ${effect.from}`;
    case 'UserBecameActive':
      return `active on ${formatDay(effect.day)}`;
    case 'MetricTotalChanged':
      return `${amount(effect.change)} ${metricName(configuration, effect.metric)}, now ${amount(effect.total)}`;
    case 'RecapDue':
      return `recap of ${formatDay(effect.periodStart)} to ${formatDay(effect.periodEnd)} due`;
    case 'ReactivationDue':
      return `reminder after ${counted(effect.days, 'day')} without an event due`;
    case 'StreakAtRisk':
      return `${streakWords(effect.length, configuration)} at risk until ${formatInstant(effect.expiresAt)}`;
    case 'StreakStarted':
      return `${streakWords(effect.length, configuration)} started`;
    case 'StreakExtended':
      return `${streakWords(effect.length, configuration)}, was ${effect.length - 1}`;
    case 'StreakRevived':
      return `${streakWords(effect.length, configuration)} alive again`;
    case 'StreakEnded':
      return `${endedStreakWords(effect, configuration)} ended${effect.byErasure === true ? ' by the erasure' : ''}`;
    case 'StreakRejoined':
      return `${streakWords(effect.length, configuration)}, joined with the ${effect.joined} before`;
    case 'FreezeEarned':
      return `${counted(effect.earned, 'streak freeze')} earned, now ${effect.held}`;
    case 'FreezesGranted':
      return `${counted(Math.abs(effect.granted), 'streak freeze')} ${effect.granted < 0 ? 'taken' : 'given'}, now ${effect.held}`;
    case 'FreezeUsed':
      return `1 streak freeze used for ${periodWords(effect.period, configuration)}`;
    case 'PeriodSkipped':
      return `${periodWords(effect.period, configuration)} skipped by the user’s clock`;
    case 'PeriodExcused':
      return `${periodWords(effect.period, configuration)} excused`;
    case 'AchievementCompleted':
      return `${achievementName(configuration, effect.achievement)} completed`;
    case 'AchievementRevoked':
      return `${achievementName(configuration, effect.achievement)} revoked`;
    case 'PointsAwarded':
      return `${effect.awarded} ${systemName(configuration, effect.system)} ${sourceOf(effect, named)}, now ${effect.total}`;
    case 'LevelChanged': {
      const { system, from, to } = effect;
      const name = systemName(configuration, system);
      const now =
        to === null ? `below all levels of ${name}` : `level ${levelName(configuration, system, to)} of ${name}`;
      return from === null ? now : `${now}, was ${levelName(configuration, system, from)}`;
    }
    case 'RankChanged':
      return rankWords(effect, configuration);
  }
}

/** What gave the points. */
function sourceOf({ triggerId, awarded }: PointsAwarded, { history }: Named): string {
  if (triggerId === GRANT_TRIGGER) return 'by hand';
  if (triggerId === CORRECTION_TRIGGER) return 'by the correction';
  const trigger = history.findTrigger(triggerId);
  if (trigger === null) return `${BigInt(awarded) < 0n ? 'taken' : 'given'} by a removed trigger`;
  return pointsTriggerKind(trigger.type).source(trigger);
}

function rankWords(
  { board, run, previousRank, rank, participants }: RankChanged,
  configuration: Configuration,
): string {
  const known = configuration.leaderboardByKey.get(board);
  const name = `${known?.name ?? board}${known?.run ? `, run of ${formatDay(run)}` : ''}`;
  if (rank === null)
    return previousRank === null ? `not ranked on ${name}` : `not ranked on ${name}, was ${previousRank}`;
  const place = `rank ${rank}${participants === null ? '' : ` of ${participants}`} on ${name}`;
  if (previousRank === rank) return `${place}, as before`;
  return `${place}${previousRank === null ? '' : `, was ${previousRank}`}`;
}

const UNITS: Readonly<Record<Frequency, string>> = { daily: 'day', weekly: 'week', monthly: 'month' };

const streakWords = (length: number, { streak }: Configuration): string =>
  `streak of ${counted(length, streak === null ? 'period' : UNITS[streak.frequency])}`;

/** A streak of an earlier definition may have had other periods. */
const endedStreakWords = (
  { length, generation }: { readonly length: number; readonly generation: number },
  { streak }: Configuration,
): string => `streak of ${counted(length, streak?.generation === generation ? UNITS[streak.frequency] : 'period')}`;

const periodWords = (first: Day, { streak }: Configuration): string =>
  streak === null || streak.frequency === 'daily'
    ? formatDay(first)
    : `the ${UNITS[streak.frequency]} from ${formatDay(first)}`;

const metricName = ({ metricByKey }: Configuration, key: string): string => metricByKey.get(key)?.name ?? key;
const achievementName = ({ achievementByKey }: Configuration, key: string): string =>
  achievementByKey.get(key)?.name ?? key;
const systemName = ({ pointsSystemByKey }: Configuration, key: string): string =>
  pointsSystemByKey.get(key)?.name ?? key;
const levelName = ({ pointsSystemByKey }: Configuration, system: string, key: string): string =>
  pointsSystemByKey.get(system)?.levels.find((level) => level.key === key)?.name ?? key;

const amount = (millionths: Exact): string => formatAmount(BigInt(millionths));
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
