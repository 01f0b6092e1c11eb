import { add, negate } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import {
  effectsOfType,
  groupBy,
  levelOf,
  type Configuration,
  type CorrectionRecorded,
  type Effect,
  type LevelChanged,
  type PointsAwarded,
  type PointsStanding,
  type RunDifference,
} from '@laurel/kernel';
import type { PointsThen, PreviewedRun, PreviewedUser, StreakThen } from '@laurel/ports';
import type { PreviewedCorrection } from '@laurel/engine';
import { recordedStanding } from '@laurel/points';
import { streaksArea } from '@laurel/streaks';

/** What a correction would change for its user, as of an instant. */
export function previewedUser(
  { subject, corrections, finalRuns }: CorrectionRecorded,
  { effects, runs, before, after }: PreviewedCorrection,
  configuration: Configuration,
  at: Instant,
): PreviewedUser {
  const request = { account: configuration.account, subject, at, metric: null, originalDate: '1970-01-01' };
  const streakThen = (stored: unknown): StreakThen => {
    const state = streaksArea.decode(stored as Parameters<typeof streaksArea.decode>[0]);
    const { streak } = streaksArea.view(state, request, configuration);
    return { length: streak.length, freezes: streak.freezes ?? 0 };
  };
  return {
    subject,
    corrections,
    runs: runs.filter(isSeen).map((run): PreviewedRun => ({ ...run, stays: run.isFinal && finalRuns === 'keep' })),
    metrics: changedMetrics(effects),
    points: changedPoints(effects, { before, after }, configuration),
    achievements: effects.flatMap((effect): PreviewedUser['achievements'] => {
      if (effect.type !== 'AchievementCompleted' && effect.type !== 'AchievementRevoked') return [];
      const { type, achievement } = effect;
      return [{ achievement, change: type === 'AchievementCompleted' ? 'completed' : 'revoked' }];
    }),
    streak: { before: streakThen(before.streaks), after: streakThen(after.streaks) },
  };
}

function changedMetrics(effects: readonly Effect[]): PreviewedUser['metrics'] {
  const byMetric = groupBy(effectsOfType(effects, 'MetricTotalChanged'), ({ metric }) => metric);
  return [...byMetric].flatMap(([metric, changes]) => {
    const [first, last] = [changes[0], changes.at(-1)];
    if (first === undefined || last === undefined) return [];
    const before = add(first.total, negate(first.change));
    return before === last.total ? [] : [{ metric, before, after: last.total }];
  });
}

/** Whether users can see the difference: positions only break ties, and a value of 0 or less is not on the board. */
const isSeen = ({ before, after }: RunDifference): boolean =>
  [before, after].some((one) => one !== null && one.value > 0n) &&
  (before?.value !== after?.value || before?.reachedAt !== after?.reachedAt);

/** Systems that lose or gain points, then those whose level alone changes. */
function changedPoints(
  effects: readonly Effect[],
  { before, after }: Pick<PreviewedCorrection, 'before' | 'after'>,
  configuration: Configuration,
): PreviewedUser['points'] {
  const changed = effects.filter(({ type }) => type === 'PointsAwarded' || type === 'LevelChanged');
  const systems = new Set(changed.map((effect) => (effect as PointsAwarded | LevelChanged).system));
  return [...systems].map((system) => {
    const then = (stored: unknown) =>
      pointsThen(recordedStanding(stored, configuration, system), configuration, system);
    return { system, before: then(before.points), after: then(after.points) };
  });
}

function pointsThen(standing: PointsStanding, { pointsSystemByKey }: Configuration, system: string): PointsThen {
  const configured = pointsSystemByKey.get(system);
  const level = configured === undefined ? null : (levelOf(configured, standing)?.key ?? null);
  const { total, earned } = standing;
  return { total, ...(configured?.levelsBy === 'earned' && { earned }), level };
}
