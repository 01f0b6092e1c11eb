import { isDeepStrictEqual } from 'node:util';
import { formatMillionths } from '@laurel/amounts';
import { formatDay, formatInstant } from '@laurel/calendar';
import {
  EFFECT_COLUMNS,
  effectsOfType,
  levelReached,
  type Configuration,
  type Effect,
  type Occasion,
  type PointsAwarded,
} from '@laurel/kernel';
import { encodePointsEffects } from '@laurel/points';
import { rowText } from './outcome.ts';

/** An applied record: the states after it, as areas encode them, and what it has caused. */
export interface AppliedEvent {
  readonly occasion: Occasion;
  readonly configuration: Configuration;
  readonly effects: readonly Effect[];
  readonly states: Readonly<Record<string, unknown>>;
}

/**
 * The rows that users, streaks, achievements, points and leaderboards store for an event, made of its effects and the states after it. They
 * share no code with the areas except the codec of stored effects, whose rows are also read back.
 */
export const rowsOfEffects = ({ occasion, configuration, effects, states }: AppliedEvent): readonly string[] =>
  [
    ...countedRows(occasion, effects, configuration),
    ...awardedRows(occasion, effects),
    ...pointsMonths(occasion, effects, configuration),
    ...movedRows(occasion, effects),
    ...causedRows(occasion, effects, configuration),
    ...effectRows(occasion, effects, configuration),
    ...levelRows(occasion, effects, configuration, states as unknown as StoredStates),
    ...countedNoMore(occasion, states as unknown as StoredStates),
  ].sort();

interface StoredStates {
  readonly achievements: readonly string[];
  readonly points: {
    readonly systems: readonly (readonly [
      key: string,
      total: string,
      settledTo: number,
      sums: unknown,
      level?: { key: string; position: number } | null,
      earned?: string,
    ])[];
  };
}

/** The columns of each area in the event's row. @throws Error if reading them gives other effects */
function effectRows(occasion: Occasion, effects: readonly Effect[], { names }: Configuration): string[] {
  const { subject, position, occurredAt } = occasion;
  const users = EFFECT_COLUMNS.users.encode(effects, occasion, names);
  const streaks = EFFECT_COLUMNS.streaks.encode(effects, occasion, names);
  const achievements = EFFECT_COLUMNS.achievements.encode(effects, occasion, names);
  const points = encodePointsEffects(effects, occasion, names);
  const read = [
    ...(users === null ? [] : EFFECT_COLUMNS.users.decode(users, occasion, names)),
    ...(streaks === null ? [] : EFFECT_COLUMNS.streaks.decode(streaks, occasion, names)),
    ...(achievements === null ? [] : EFFECT_COLUMNS.achievements.decode(achievements, occasion, names)),
    ...(points?.points === undefined ? [] : EFFECT_COLUMNS.points.decode(points.points, occasion, names)),
  ];
  const written = effects.filter(({ type }) => type !== 'RankChanged');
  if (!isDeepStrictEqual(read, written)) throw new Error('effects are read as others than were written');
  const columns = [
    users === null ? {} : { users },
    ...(streaks === null ? [] : [{ streaks }]),
    ...(achievements === null ? [] : [{ achievements }]),
    ...(points === null ? [] : [points]),
  ];
  return columns.map((own) =>
    rowText('effects', { subject, position, occurred_at: formatInstant(occurredAt), ...own }),
  );
}

/** The counts of an event on its day. */
function countedRows({ account, reported, user }: Occasion, effects: readonly Effect[], { metrics }: Configuration) {
  const [date, partition] = [formatDay(user.day), 0];
  const [new_users, active_users] = (['UserCreated', 'UserBecameActive'] as const).map(
    (type) => effects.filter((effect) => effect.type === type).length,
  );
  const rows: string[] = [];
  if (new_users || active_users)
    rows.push(rowText('user_day_counts', { account, date, partition, new_users, active_users }));
  if (reported !== null) {
    const total = formatMillionths(reported.value);
    const metric = metrics[reported.metric]?.key;
    rows.push(rowText('metric_day_counts', { account, metric, date, partition, events: 1, total }));
  }
  return rows;
}

/** The counts of awards on their days. */
function awardedRows({ account }: Occasion, effects: readonly Effect[]): string[] {
  const awards = effects.flatMap((effect) => (effect.type === 'PointsAwarded' ? [effect] : []));
  const days = new Set(awards.map(({ system, day }) => `${system} ${day}`));
  return [...days].map((key) => {
    const own = awards.filter(({ system, day }) => `${system} ${day}` === key);
    const sum = (sign: number) =>
      String(
        own.reduce((total, { awarded }) => (sign * Number(awarded) > 0 ? total + sign * Number(awarded) : total), 0),
      );
    const [system = '', day] = key.split(' ');
    const date = formatDay(Number(day));
    return rowText('point_day_counts', { account, system, date, partition: 0, awarded: sum(1), consumed: sum(-1) });
  });
}

/** One row for each system and month, with the sum of each date. */
function pointsMonths({ subject }: Occasion, effects: readonly Effect[], { names }: Configuration): string[] {
  const months = new Map<string, Map<number, bigint>>();
  for (const { system, day, awarded } of effectsOfType(effects, 'PointsAwarded')) {
    const date = formatDay(day);
    const key = `${date.slice(0, -2)}01 ${system}`;
    const days = months.get(key) ?? new Map<number, bigint>();
    months.set(key, days.set(Number(date.slice(-2)), (days.get(Number(date.slice(-2))) ?? 0n) + BigInt(awarded)));
  }
  return [...months].map(([key, days]) => {
    const [month, system] = [key.slice(0, 10), names.systems.numberOf(key.slice(11))];
    const sums = Object.fromEntries([...days].map(([day, sum]) => [day, String(sum)]));
    return rowText('points_months', { subject, system, month, days: sums });
  });
}

/** The counted totals between which awards move the user. */
function movedRows({ account }: Occasion, effects: readonly Effect[]): string[] {
  const awards = effects.flatMap((effect) => (effect.type === 'PointsAwarded' ? [effect] : []));
  return [...new Set(awards.map(({ system }) => system))].flatMap((system) => {
    const own = awards.filter((award) => award.system === system);
    const before = Number(own[0]?.total) - Number(own[0]?.awarded);
    const [left, reached] = [before, Number(own.at(-1)?.total)].map(countedAs);
    const row = (mark: string | undefined, users: number) =>
      mark === '0' ? [] : [rowText('point_total_counts', { account, system, mark, partition: 0, users })];
    return left === reached ? [] : [...row(left, -1), ...row(reached, 1)];
  });
}

/**
 * The level of each system that the event changes, with the instant of the first award from which on all awards stayed
 * on it. The event's own awards count as one.
 */
function levelRows(
  { subject, position, occurredAt }: Occasion,
  effects: readonly Effect[],
  { pointsSystems, names }: Configuration,
  { points }: StoredStates,
): string[] {
  return points.systems.flatMap(([system, total, , , stored, earned = total]) => {
    const configured = pointsSystems.find(({ key }) => key === system);
    if (configured === undefined) return [];
    const { levels, levelsBy } = configured;
    const level = levelReached(levels, BigInt(levelsBy === 'earned' ? earned : total))?.key ?? null;
    if ((stored?.key ?? null) !== level) throw new Error('the stored level is not the level of the points');
    if (stored?.position !== position) return [];
    const given = effectsOfType(effects, 'PointsAwarded').filter((award) => award.system === system);
    const positive = given.map(({ awarded }) => (awarded > 0 ? BigInt(awarded) : 0n));
    const earnedBefore = BigInt(earned) - positive.reduce((sum, points) => sum + points, 0n);
    const pointsAfter = (award: PointsAwarded): bigint =>
      levelsBy === 'total'
        ? BigInt(award.total)
        : positive.slice(0, given.indexOf(award) + 1).reduce((sum, points) => sum + points, earnedBefore);
    const awards = [...given.filter(({ due }) => due), ...given.filter(({ due }) => !due).slice(-1)];
    const other = awards.findLastIndex((award) => (levelReached(levels, pointsAfter(award))?.key ?? null) !== level);
    const at = awards[other + 1]?.at ?? occurredAt;
    const number = names.systems.numberOf(system);
    return [rowText('points_levels', { subject, system: number, level, reached_at: formatInstant(at), position })];
  });
}

/** An erased user is none of those who completed something, nor of those on a total. Who is counted as 0 has no row. */
function countedNoMore({ account, event }: Occasion, { achievements, points }: StoredStates): string[] {
  if (event.type !== 'UserErased') return [];
  return [
    ...achievements.map((achievement) =>
      rowText('achievement_counts', { account, achievement, partition: 0, completions: -1 }),
    ),
    ...points.systems.flatMap(([system, total]) => {
      const mark = countedAs(Number(total));
      return mark === '0' ? [] : [rowText('point_total_counts', { account, system, mark, partition: 0, users: -1 })];
    }),
  ];
}

/**
 * The total that stands for this one in the counts: itself if only zeros follow its third digit, otherwise rounded down
 * to three digits, plus 1.
 */
function countedAs(total: number): string {
  const digits = String(total);
  const round = digits.slice(0, 3) + digits.slice(3).replaceAll(/\d/g, '0');
  return round === digits ? digits : String(Number(round) + 1);
}

function causedRows(
  { account, subject, position }: Occasion,
  effects: readonly Effect[],
  configuration: Configuration,
): string[] {
  const { names } = configuration;
  const lengths = (generation: number, length: number, reached: number, ended: number) =>
    rowText('streak_length_counts', { account, generation, length, partition: 0, reached, ended });
  const generation = configuration.streak?.generation ?? 0;
  const period = (start: number, length: number, kept: { used_freeze?: boolean; passed_over?: string } = {}) => {
    const how = { used_freeze: false, passed_over: null, ...kept };
    return [rowText('streak_periods', { subject, generation, period_start: formatDay(start), length, ...how })];
  };
  return effects.flatMap((effect): string[] => {
    switch (effect.type) {
      case 'UserCreated':
        return [rowText('user_counts', { account, partition: 0, users: 1 })];
      case 'UserForgotten':
        return [rowText('user_counts', { account, partition: 0, users: -1 })];
      case 'ZoneChanged':
        return [rowText('user_zones', { subject, position, zone: effect.to })];
      case 'MetricTotalChanged':
        return [
          rowText('metric_months', {
            subject,
            metric: names.metrics.numberOf(effect.metric),
            month: `${formatDay(effect.day).slice(0, -2)}01`,
            days: { [Number(formatDay(effect.day).slice(-2))]: formatMillionths(effect.change) },
          }),
        ];
      case 'StreakStarted':
      case 'StreakExtended':
        return [...period(effect.period, effect.length), lengths(generation, effect.length, 1, 0)];
      case 'FreezeUsed':
        return period(effect.period, effect.length, { used_freeze: true });
      case 'PeriodSkipped':
        return period(effect.period, effect.length, { passed_over: 'skipped' });
      case 'PeriodExcused':
        return period(effect.period, effect.length, { passed_over: 'excused' });
      case 'AchievementCompleted':
      case 'AchievementRevoked': {
        const isCompleted = effect.type === 'AchievementCompleted';
        return [
          rowText('achievement_completions', {
            subject,
            achievement: names.achievements.numberOf(effect.achievement),
            achieved_at: isCompleted ? formatInstant(effect.at) : null,
            position,
          }),
          rowText('achievement_counts', {
            ...{ account, achievement: effect.achievement, partition: 0 },
            completions: isCompleted ? 1 : -1,
          }),
        ];
      }
      case 'RankChanged':
        return [
          rowText('rank_changes', {
            board: names.boards.numberOf(effect.board),
            run_start: formatDay(effect.run),
            subject,
            position,
            ordinal: effect.ordinal,
            timestamp: formatInstant(effect.at),
            previous_rank: effect.previousRank ?? 0,
            rank: effect.rank ?? 0,
            value: formatMillionths(effect.value),
            participants: effect.participants,
          }),
        ];
      case 'StreakEnded':
        return [lengths(effect.generation, effect.length, 0, 1)];
      case 'StreakRevived':
        return [lengths(generation, effect.length, 0, -1)];
      case 'StreakRejoined':
        return [lengths(generation, effect.joined, 0, -1)];
      case 'UserBecameActive':
      case 'StreakAtRisk':
      case 'RecapDue':
      case 'ReactivationDue':
      case 'FreezeEarned':
      case 'FreezesGranted':
      case 'PointsAwarded':
      case 'BoostGiven':
      case 'BoostEnded':
      case 'RequestAccepted':
      case 'RequestRefused':
      case 'LevelChanged':
        return [];
    }
  });
}
