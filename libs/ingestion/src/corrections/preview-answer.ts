import {
  type CorrectionPreview,
  type CorrectionPreviewAnswer,
  jsonAmount,
  jsonInteger,
  type PointsThen,
  type Subject,
} from '@laurel/contracts';

/** @param ids of the users who are previewed */
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
        system,
        before: pointsThen(before),
        after: pointsThen(after),
      })),
      achievements: [...achievements],
      streak,
      runs: runs.map(({ board, runStart: start, runEnd: end, isFinal: final, before, after }) => ({
        ...{ board, start, end, final },
        before: before === null ? null : jsonAmount(before.value),
        after: after === null ? null : jsonAmount(after.value),
      })),
    })),
  };
}

const pointsThen = ({ total, level }: PointsThen) => ({ total: jsonInteger(BigInt(total)), level });
