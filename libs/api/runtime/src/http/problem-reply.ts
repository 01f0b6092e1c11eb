import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { StoreUnavailableError } from '@laurel/kernel';
import { type Problem, ProblemError, problemOf } from '@laurel/schemas';
import type { FastifyReply } from 'fastify';
import type { Logger } from '../logging.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

type Headers = Readonly<Record<string, string>>;

declare module 'fastify' {
  interface FastifyInstance {
    /** The path before every path of this service in browsers. */
    basePath: string;
  }
}

/** Points the problem's `type` to a page of this service, below `basePath` for browsers. */
export const problemBelow = (basePath: string, problem: Problem): Problem =>
  basePath === '' ? problem : { ...problem, type: `${basePath}${problem.type}` };

export function sendProblem(reply: FastifyReply, problem: Problem, headers: Headers = {}): void {
  const body = problemBelow(reply.server.basePath, problem);
  void reply.code(problem.status).headers(headers).header('content-type', PROBLEM_TYPE).send(body);
}

/**
 * The problem that answers an error. An unexpected error is our bug: it is logged with an incident id, and the caller
 * gets only that id.
 */
export function problemFor(
  error: unknown,
  requestId: string,
  logger: Logger,
): { readonly problem: Problem; readonly headers: Headers } {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailableError) return STORE_UNAVAILABLE;
  return { problem: expectedProblem(error) ?? incident(error, requestId, logger), headers: {} };
}

const STORE_UNAVAILABLE = {
  problem: problemOf('unavailable', 'The store cannot be reached; ask again.'),
  headers: { 'retry-after': '1' },
};

/** Errors of Node and Fastify that the caller's request caused, by code. */
const BY_CODE: ReadonlyMap<unknown, () => Problem> = new Map([
  ['FST_ERR_BAD_URL', () => problemOf('malformed_request', 'The path is not validly percent-encoded.')],
  ['FST_ERR_MAX_PARAM_LENGTH', unknownPath],
  ['ECONNRESET', () => problemOf('malformed_body', 'The body did not arrive whole.')],
  ['HPE_HEADER_OVERFLOW', () => problemOf('headers_too_large', 'The request line and headers are too large.')],
  ['ERR_HTTP_REQUEST_TIMEOUT', () => problemOf('request_timeout', 'The request did not arrive in time.')],
]);

/** Nest passes on Fastify's errors without their code, so these are recognized by status. */
const BY_STATUS: ReadonlyMap<number, () => Problem> = new Map([
  [400, () => problemOf('malformed_body', 'The body did not arrive whole.')],
  [404, unknownPath],
  [413, () => problemOf('body_too_large', 'The body is larger than this route takes.')],
  [415, () => problemOf('unsupported_media_type', 'The Content-Type must be application/json.')],
]);

function expectedProblem(error: unknown): Problem | null {
  const known = error instanceof HttpException ? BY_STATUS.get(error.getStatus()) : BY_CODE.get(codeOf(error));
  return known?.() ?? null;
}

export function unknownPath(): Problem {
  return problemOf('unknown_path', 'There is nothing at this path.');
}

/** A problem as raw HTTP, for a socket on which HTTP itself failed, so that there is no reply object. */
export function rawProblem(error: unknown, basePath: string): string {
  const malformed = problemOf('malformed_request', 'The request is not valid HTTP.');
  const problem = expectedProblem(error) ?? malformed;
  const body = JSON.stringify(problemBelow(basePath, problem));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function incident(error: unknown, requestId: string, logger: Logger): Problem {
  const incidentId = randomUUID();
  logger.error({ incidentId, requestId, err: error }, 'request failed');
  return problemOf('internal', `Something went wrong on our side; incident ${incidentId}.`, { incidentId });
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
}
