import { add, negate, type Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import {
  effectsOfType,
  groupBy,
  levelReached,
  type Configuration,
  type CorrectionRecorded,
  type Effect,
  type RunDifference,
} from '@laurel/kernel';
import type { PreviewedRun, PreviewedUser, StreakThen } from '@laurel/ports';
import type { PreviewedCorrection } from '@laurel/engine';
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
    points: changedPoints(effects, configuration),
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

function changedPoints(effects: readonly Effect[], { pointsSystemByKey }: Configuration): PreviewedUser['points'] {
  return effectsOfType(effects, 'PointsAwarded').map(({ system, awarded, total }) => {
    const levels = pointsSystemByKey.get(system)?.levels ?? [];
    const then = (points: Exact) => ({ total: points, level: levelReached(levels, points)?.key ?? null });
    return { system, before: then(add(total, negate(awarded))), after: then(total) };
  });
}
