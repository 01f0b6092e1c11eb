import { isUtf8 } from 'node:buffer';
import { ProblemError, problemOf } from '@laurel/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Bodies are JSON (by type `application/json` or `…+json`) and nothing else. The parser is our own because Fastify's refuses or
 * drops a member named `__proto__`, a legal attribute here; `JSON.parse` itself makes it an own property.
 */
export function installJsonBody(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[\w.-]+\+json(?:;|$)/])
    fastify.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      try {
        done(null, parseJson(request, body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    });
}

function parseJson(request: FastifyRequest, body: Buffer): unknown {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new ProblemError(problemOf('unsupported_media_type', 'The body must not be compressed.'));
  if (!isUtf8(body)) throw new ProblemError(problemOf('malformed_body', 'The body is not UTF-8.'));
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ProblemError(problemOf('malformed_body', 'The body is not JSON.'));
  }
}

/** The body, which must be there. @throws ProblemError 415 without one, 400 if it is no object (nor, if allowed, an array). */
export function jsonBody(request: FastifyRequest, allowed: 'object' | 'object or array' = 'object'): object {
  const { body } = request;
  if (body === undefined)
    throw new ProblemError(problemOf('unsupported_media_type', 'The Content-Type must be application/json.'));
  if (typeof body !== 'object' || body === null || (allowed === 'object' && Array.isArray(body)))
    throw new ProblemError(problemOf('malformed_body', `The body must be a JSON ${allowed}.`));
  return body;
}
