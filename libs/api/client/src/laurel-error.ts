import type { Problem } from './generated/laurel-api.ts';

/**
 * The kind of failure: the service's own code, or `unreachable` (no answer, or the connection broke), `timed_out`, or
 * `unexpected_answer` (an answer that is not Laurel's, for example from a proxy).
 */
export type LaurelErrorCode = Problem['code'] | 'unreachable' | 'timed_out' | 'unexpected_answer';

interface LaurelErrorContent {
  readonly code: LaurelErrorCode;
  readonly response?: Response;
  readonly problem?: Problem;
  readonly cause?: unknown;
}

/** A call that was refused or not answered. `message` is a plain sentence for people, `code` is for programs. */
export class LaurelError extends Error {
  override readonly name = 'LaurelError';
  readonly code: LaurelErrorCode;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** The answer of the service, with every refused field in `errors`; null if something else answered. */
  readonly problem: Problem | null;
  /** How long to wait before sending the same request again, if the service said so. */
  readonly retryAfterMs: number | null;

  constructor(message: string, { code, response, problem, cause }: LaurelErrorContent) {
    super(message, { cause });
    this.code = code;
    this.status = response?.status ?? null;
    this.problem = problem ?? null;
    const seconds = Number(response?.headers.get('retry-after') ?? NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : null;
  }
}

interface Exchange {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The answer to a successful call.
 *
 * @throws LaurelError if the call was refused or not answered; any other rejection of the call unchanged, such as the
 * reason of a signal that aborted it.
 */
export async function orThrow<Answered extends Exchange>(
  call: Promise<Answered>,
): Promise<Exclude<Answered['data'], undefined>> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw failureOf(cause) ?? cause;
  });
  if (response.ok) return data as Exclude<Answered['data'], undefined>;
  if (isProblem(error)) throw new LaurelError(error.detail, { code: error.code, response, problem: error });
  throw new LaurelError(`HTTP ${response.status}, but not of Laurel.`, { code: 'unexpected_answer', response });
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Why there was no readable answer, or null if the connection is not the cause. */
function failureOf(cause: unknown): LaurelError | null {
  if (isError(cause) && cause.name === 'SyntaxError')
    return new LaurelError('The answer is not JSON.', { code: 'unexpected_answer', cause });
  const reason = connectionCode(cause);
  if (reason === null) return null;
  return TIMEOUTS.has(reason)
    ? new LaurelError('Laurel did not answer in time.', { code: 'timed_out', cause })
    : new LaurelError(`Laurel cannot be reached (${reason}).`, { code: 'unreachable', cause });
}

/**
 * Fetch wraps connection errors in a `TypeError`. A `TypeError` without a cause means that the call itself was wrong.
 */
function connectionCode(error: unknown): string | null {
  if (!isError(error) || error.name !== 'TypeError' || !isError(error.cause)) return null;
  const { cause } = error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

/** Tests the shape, because errors of Node may come from another realm. */
const isError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'name' in value && 'message' in value;

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false;
  return 'code' in body && typeof body.code === 'string' && 'detail' in body && typeof body.detail === 'string';
}
