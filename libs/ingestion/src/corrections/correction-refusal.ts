import {
  type CorrectionRefused,
  invalidRequest,
  MOST_CORRECTED_USERS,
  type Problem,
  ProblemError,
  problemOf,
} from '@laurel/contracts';
import { refusal } from '../refusals.ts';

/** The answer to a correction that is refused. */
export function correctionRefusal(refused: CorrectionRefused): ProblemError {
  const { reason } = refused;
  switch (reason) {
    case 'overloaded':
    case 'unavailable':
    case 'unknown':
    case 'damaged': {
      const { retryAfterMs = null, damage } = refused;
      return refusal({ kind: 'refused', reason, eventId: null, retryAfterMs, ...(damage && { damage }) }, '');
    }
    default:
      return new ProblemError(problemOfRefused(reason, refused.events ?? []));
  }
}

function problemOfRefused(
  reason: Exclude<CorrectionRefused['reason'], 'overloaded' | 'unavailable' | 'unknown' | 'damaged'>,
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
    case 'erased':
      return invalidRequest([{ path: 'corrections', message: 'must not name events of a user who was erased' }]);
    case 'nothing_left':
      return invalidRequest([{ path: 'corrections', message: 'must leave an event of each user; or erase the user' }]);
    case 'area_stopped':
      return problemOf('unavailable', 'An area has stopped: rebuild it, then send the correction again.');
    case 'import_open':
      return problemOf('import_open', 'An import is open: finish it, then send the correction again.');
    case 'stale_preview':
      return problemOf(
        'stale_preview',
        'The preview is of another request, or one of its users was corrected since: preview the correction again.',
      );
  }
}
