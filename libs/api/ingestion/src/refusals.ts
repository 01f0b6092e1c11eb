import { describeDamage, MOST_OWED_AWARDS, type Refused } from '@laurel/kernel';
import {
  IMPORT_OPEN,
  TOO_MANY_BOOSTS,
  invalidRequest,
  UNKNOWN_USER,
  type Problem,
  type ProblemCode,
  ProblemError,
  problemOf,
} from '@laurel/schemas';
import { MAX_ATTRIBUTES } from '@laurel/profile';

const RETRY_AFTER_MS = 1_000;

/**
 * The problem that answers a refused command.
 * @param userId the id that the request uses
 * @param attributesPath the field of the request with the user's attributes
 * @throws Error if the store refused a valid command: our bug.
 */
export function refusalProblem(
  { reason, eventId, damage, owed = 0 }: Refused,
  userId: string,
  attributesPath = 'user.attributes',
): Problem {
  switch (reason) {
    case 'overloaded':
      return problemOf('overloaded', 'The intake is full; nothing was recorded.');
    case 'unavailable':
      return problemOf('unavailable', 'The event store cannot be reached; nothing was recorded.');
    case 'unknown': {
      const detail = `Whether the event ${eventId} was recorded is unknown. A retry with the same idempotency key is safe.`;
      return problemOf('outcome_unknown', detail, eventId === null ? {} : { eventId });
    }
    case 'too_many_attributes': {
      const message = `would give the user more than ${MAX_ATTRIBUTES} attributes`;
      return invalidRequest([{ path: attributesPath, message }]);
    }
    case 'too_many_awards': {
      const message = `would owe this new user ${owed} time awards at once, more than ${MOST_OWED_AWARDS}; correct it, or open the import with unboundedAwards (laurel import --unbounded-awards)`;
      return invalidRequest([{ path: 'timestamp', message }]);
    }
    case 'too_many_boosts':
      return TOO_MANY_BOOSTS;
    case 'unknown_user':
      return UNKNOWN_USER;
    case 'erased':
      return problemOf(
        'unavailable',
        'The user was erased while this was on its way; nothing was recorded. Send it again.',
      );
    case 'import_open':
      return IMPORT_OPEN;
    case 'area_stopped':
      return problemOf('unavailable', 'Nobody can be erased while an area has stopped; nothing was recorded.');
    case 'unknown_event':
    case 'unknown_metric':
    case 'too_many_runs':
    case 'corrected_meanwhile':
      return problemOf('invalid_request', CORRECTION_REFUSALS[reason]);
    case 'not_active':
      return problemOf('not_active', 'The achievement is not active now; nothing was recorded.');
    case 'damaged':
      return problemOf(
        'state_damaged',
        damage ? describeDamage(damage, userId) : 'The stored state of the user is damaged.',
      );
    case 'rejected':
      throw new Error(`the event store rejected the event ${eventId}`);
  }
}

const CORRECTION_REFUSALS = {
  unknown_event: 'An event that the correction names is none of the user’s own; nothing was recorded.',
  unknown_metric:
    'An event would move to where the configuration version does not have its metric; nothing was recorded.',
  too_many_runs: 'The correction would change too many final runs; nothing was recorded.',
  corrected_meanwhile:
    'Another correction of the user was recorded first: preview this one again. Nothing was recorded.',
};

/** The code of the problem that answers a refused command. */
export const refusalCode = (refused: Refused): ProblemCode =>
  refused.reason === 'rejected' ? 'internal' : refusalProblem(refused, '').code;

/**
 * The answer to a refused request, with `Retry-After` in whole seconds if a retry may succeed. @throws Error as {@link
 * refusalProblem}.
 */
export function refusal(refused: Refused, userId: string, attributesPath?: string): ProblemError {
  const problem = refusalProblem(refused, userId, attributesPath);
  if (problem.status < 500) return new ProblemError(problem);
  const seconds = Math.max(1, Math.ceil((refused.retryAfterMs ?? RETRY_AFTER_MS) / 1_000));
  return new ProblemError(problem, { 'retry-after': String(seconds) });
}

/** Whether it is certain that nothing was recorded, and that everything may be sent again. */
export function isTurnedAway({ reason }: Refused): boolean {
  return reason === 'overloaded' || reason === 'unavailable';
}
