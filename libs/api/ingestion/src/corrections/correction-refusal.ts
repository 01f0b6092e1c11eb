import type { Subject } from '@laurel/kernel';
import { type CorrectionRefused, MOST_CORRECTED_FINAL_RUNS, MOST_CORRECTED_USERS } from '@laurel/ports';
import { IMPORT_OPEN, invalidRequest, type Problem, ProblemError, problemOf } from '@laurel/schemas';
import { refusal } from '../refusals.ts';

/**
 * The answer to a refused correction.
 * @param ids those of the users that it names
 * @throws Error if the store refused a command that was valid here: a bug
 */
export function correctionRefusal(
  refused: CorrectionRefused,
  ids: ReadonlyMap<Subject, string> = new Map(),
): ProblemError {
  const { problem, headers } = plainRefusal(refused);
  const { progress } = refused;
  if (progress === undefined) return new ProblemError(problem, headers);
  const idOf = (subject: Subject): string | null => ids.get(subject) ?? null;
  const done = progress.corrected.length;
  const all = done + progress.left.length;
  const detail = `${problem.detail} ${done} of ${all} users ${done === 1 ? 'is' : 'are'} corrected already.`;
  const named = {
    corrected: progress.corrected.map(({ subject, eventId }) => ({ userId: idOf(subject), eventId })),
    uncorrected: progress.left.map(idOf),
  };
  return new ProblemError({ ...problem, detail, error: detail, ...named }, headers);
}

function plainRefusal(refused: CorrectionRefused): ProblemError {
  const { reason } = refused;
  switch (reason) {
    case 'overloaded':
    case 'unavailable':
    case 'unknown':
    case 'rejected':
    case 'damaged': {
      const { eventId = null, retryAfterMs = null, damage } = refused;
      return refusal({ kind: 'refused', reason, eventId, retryAfterMs, ...(damage && { damage }) }, '');
    }
    default:
      return new ProblemError(problemOfRefused(reason, refused.events ?? []));
  }
}

function problemOfRefused(
  reason: Exclude<CorrectionRefused['reason'], 'overloaded' | 'unavailable' | 'unknown' | 'rejected' | 'damaged'>,
  events: NonNullable<CorrectionRefused['events']>,
): Problem {
  switch (reason) {
    case 'unknown_event':
      return problemOf('unknown_event', `There is no event ${events.map(({ eventId }) => eventId).join(', ')}.`);
    case 'not_correctable':
      return invalidRequest(
        events.map(({ eventId, because }) => ({ path: 'corrections', message: `cannot name ${eventId}: ${because}` })),
      );
    case 'too_many_users':
      return invalidRequest([
        { path: 'corrections', message: `must name events of at most ${MOST_CORRECTED_USERS} users` },
      ]);
    case 'unknown_metric':
    case 'too_many_awards':
      return invalidRequest(
        events.map(({ because, instantAt }) => ({
          path: instantAt === undefined ? 'corrections' : `corrections.${instantAt}.occurredAt`,
          message: because,
        })),
      );
    case 'too_many_runs':
      return invalidRequest([
        {
          path: 'finalRuns',
          message: `would change more than ${MOST_CORRECTED_FINAL_RUNS} final runs of a user: correct fewer events at a time`,
        },
      ]);
    case 'erased':
      return invalidRequest([{ path: 'corrections', message: 'must not name events of a user who was erased' }]);
    case 'area_stopped':
      return problemOf('unavailable', 'An area has stopped: rebuild it, then send the correction again.');
    case 'import_open':
      return IMPORT_OPEN;
    case 'stale_preview':
      return problemOf(
        'stale_preview',
        'The preview is of another request, or one of its users was corrected since: preview the correction again.',
      );
  }
}
