import { formatInstant } from '@laurel/calendar';
import type { RunValue, Subject } from '@laurel/kernel';
import type { CorrectionPreview, PointsThen } from '@laurel/ports';
import { type CorrectionPreviewAnswer, jsonAmount, jsonInteger, namePointsSystem } from '@laurel/schemas';

/** @param ids those of the users in the preview */
export function previewAnswer(
  { id, users }: CorrectionPreview,
  ids: ReadonlyMap<Subject, string>,
): CorrectionPreviewAnswer {
  return {
    id,
    users: users.map(({ subject, corrections, metrics, points, achievements, streak, runs }) => ({
      userId: ids.get(subject) ?? null,
      events: corrections.length,
      metrics: metrics.map(({ metric, before, after }) => ({
        metric,
        before: jsonAmount(BigInt(before)),
        after: jsonAmount(BigInt(after)),
      })),
      points: points.map(({ system, before, after }) => ({
        ...namePointsSystem(system),
        before: pointsThen(before),
        after: pointsThen(after),
      })),
      achievements: [...achievements],
      streak,
      runs: runs.map(({ board, runStart: start, runEnd: end, isFinal: final, stays, before, after }) => ({
        board,
        start,
        end,
        final,
        stays,
        before: before === null ? null : jsonAmount(before.value),
        after: after === null ? null : jsonAmount(after.value),
        reachedAt: { before: reachedAt(before), after: reachedAt(after) },
      })),
    })),
  };
}

const reachedAt = (run: RunValue | null): string | null => (run === null ? null : formatInstant(run.reachedAt));

const pointsThen = ({ total, earned, level }: PointsThen) => ({
  total: jsonInteger(BigInt(total)),
  ...(earned !== undefined && { earned: jsonInteger(BigInt(earned)) }),
  level,
});
