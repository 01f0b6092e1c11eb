import { type Problem, ProblemError, problemOf, type Refused } from '@laurel/contracts';

const RETRY_AFTER_MS = 1_000;

/** The problem that a refused command is answered with. @throws Error if the store refused what the edge let through: our bug. */
export function refusalProblem({ reason, eventId }: Refused): Problem {
  switch (reason) {
    case 'overloaded':
      return problemOf('overloaded', 'The intake is full; nothing was recorded.');
    case 'unavailable':
      return problemOf('unavailable', 'The event store cannot be reached; nothing was recorded.');
    case 'unknown': {
      const detail = `Whether the event ${eventId} was recorded is unknown. A retry with the same idempotency key is safe.`;
      return problemOf('outcome_unknown', detail, eventId === null ? {} : { eventId });
    }
    case 'rejected':
      throw new Error(`the event store rejected the event ${eventId}`);
  }
}

/** The answer to a refused request, with `Retry-After` in whole seconds. @throws Error as {@link refusalProblem}. */
export function refusal(refused: Refused): ProblemError {
  const seconds = Math.max(1, Math.ceil((refused.retryAfterMs ?? RETRY_AFTER_MS) / 1_000));
  return new ProblemError(refusalProblem(refused), { 'retry-after': String(seconds) });
}

/** True if it is certain that nothing was recorded and that it is worth to send everything again. */
export function isTurnedAway({ reason }: Refused): boolean {
  return reason === 'overloaded' || reason === 'unavailable';
}
