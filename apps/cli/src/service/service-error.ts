import { LaurelError } from '@laurel/client';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import type { ServiceTarget } from './find-service.ts';

/** The service has refused a request. */
export class RefusedError extends CommandError {
  readonly status: number;
  readonly code: LaurelError['code'];
  /** The problem that the service answered; null if the answer was not a problem. */
  readonly problem: LaurelError['problem'];

  constructor(status: number, { code, problem }: Pick<LaurelError, 'code' | 'problem'>, message: string) {
    super(2, message);
    this.status = status;
    this.code = code;
    this.problem = problem;
  }
}

/** A request was not sent, because no service accepts connections. */
export class UnreachableError extends CommandError {
  constructor(what: string) {
    super(2, what);
  }
}

/** A request was sent and not answered. */
export class OutcomeUnknownError extends CommandError {
  constructor(what: string) {
    super(2, `${what}; whether the request was carried out is not known`);
  }
}

/** Whether a failed request may have changed something. */
const mayHaveBeenDone = (error: unknown): error is CommandError =>
  error instanceof OutcomeUnknownError || (error instanceof RefusedError && error.status >= 500);

/** For `catch` of a request. @throws CommandError with exit code 2 and this message for a refusal with this code; otherwise the given error */
export const refusedAs =
  (code: LaurelError['code'], message: string) =>
  (error: unknown): never => {
    throw error instanceof RefusedError && error.code === code ? new CommandError(2, message) : error;
  };

export const noSuchUser = (id: string) => refusedAs('unknown_user', `there is no user ${plainText(id)}`);

/** For `catch` of a request. @throws the error; with the note if the request may have been carried out */
export const noteIfDone =
  (note: string) =>
  (error: unknown): never => {
    throw mayHaveBeenDone(error) ? new CommandError(error.exitCode, `${error.message}\n${note}`) : error;
  };

/**
 * The error for a request that was refused (a {@link RefusedError}) or not answered (an {@link OutcomeUnknownError} if it
 * may have arrived).
 */
export function serviceError(error: LaurelError, target: ServiceTarget, attempts = 1): CommandError {
  const place = placeOf(target);
  if (error.code === 'timed_out') return new OutcomeUnknownError(`${place} gave no answer in time`);
  if (error.code === 'unreachable') return unreachable(error, place);
  const sentence = sentenceFor(error, place, attempts);
  return error.status === null ? new CommandError(2, sentence) : new RefusedError(error.status, error, sentence);
}

export const placeOf = (target: ServiceTarget): string =>
  plainText(target.type === 'socket' ? target.path : target.url);

/** A sentence about the failure and its remedy. */
function sentenceFor(error: LaurelError, place: string, attempts: number): string {
  switch (error.code) {
    case 'unauthorized':
      return `${place} refused the API key (401): ${said(error)}\nGive another in LAUREL_API_KEY or --api-key; on the machine of the service none is needed without --url.`;
    case 'forbidden':
      return `${place} does not let this key do that (403): ${said(error)}\nUse one with the scope admin; keys create --scope admin makes one.`;
    case 'unknown_path':
    case 'method_not_allowed':
    case 'unsupported_media_type':
      return `${place} does not know this request (${error.status}): the service is older than this command line; update it`;
    case 'unexpected_answer':
      return `${place} did not answer as a Laurel service does${error.status === null ? '' : ` (${error.status})`}: is the address right?`;
    case 'rate_limited':
    case 'overloaded':
    case 'unavailable':
      return `${place} turned the request away${attempts > 1 ? ' again and again' : ''} (${error.status}): ${said(error)}`;
    case 'internal':
      return `${place} failed (${error.status}): ${said(error)} Its log says more.`;
    default:
      return `${place} refused (${error.status}): ${said(error)}`;
  }
}

const LONGEST_ANSWER = 4_000;
const said = (error: LaurelError): string => plainText(error.message, LONGEST_ANSWER);

function unreachable(error: LaurelError, place: string): CommandError {
  const cause = originOf(error);
  return isLost(cause)
    ? wentAway(place, cause)
    : new UnreachableError(`${place} cannot be reached (${reasonOf(cause)})`);
}

/** The error for a request whose answer broke off. The request itself had arrived. */
export const brokenOff = (error: unknown, target: ServiceTarget): OutcomeUnknownError =>
  wentAway(placeOf(target), originOf(error as NodeJS.ErrnoException));

const wentAway = (place: string, cause: NodeJS.ErrnoException): OutcomeUnknownError =>
  new OutcomeUnknownError(`${place} went away before it answered (${reasonOf(cause)})`);

/** Whether an established connection broke. A failed TLS handshake also breaks off a write (EPROTO). */
const isLost = ({ code = '', syscall }: NodeJS.ErrnoException): boolean =>
  LOST.has(code) || code.startsWith('HPE_') || (code !== 'EPROTO' && (syscall === 'read' || syscall === 'write'));

/** Codes of an established connection that broke; codes with `HPE_` mean an answer that is not HTTP. */
const LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The innermost cause: fetch wraps errors. Checked by its fields, since errors of fetch may come from another realm. */
function originOf(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  const { cause } = error;
  return typeof cause === 'object' && cause !== null && 'message' in cause ? originOf(cause as Error) : error;
}

/** The error's code, or else its message. */
const reasonOf = (error: NodeJS.ErrnoException): string =>
  plainText(typeof error.code === 'string' && !(error instanceof LaurelError) ? error.code : error.message);
