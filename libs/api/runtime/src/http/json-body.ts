import { isUtf8 } from 'node:buffer';
import { ProblemError, problemOf, type ProblemCode } from '@laurel/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isDeeperThan } from '../rules/json-depth.ts';
import { jsonFault } from '../rules/json-fault.ts';
import { withoutMark } from './ndjson.ts';

/** Most levels of nested arrays and objects. */
export const DEEPEST_BODY = 64;

const JSON_TYPES = ['application/json', /^application\/[\w.-]+\+json(?:;|$)/] as const;

/**
 * Accepts only JSON bodies (type `application/json` or `…+json`); an empty body counts as none, whatever its type. It
 * has its own parser because Fastify's refuses or drops a member named `__proto__`, a legal attribute here;
 * `JSON.parse` makes it an own property.
 */
export function installJsonBody(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  for (const type of JSON_TYPES)
    fastify.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      try {
        done(null, parseJson(request, body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    });
  fastify.addContentTypeParser('*', (request, _payload, done) =>
    done(hasBody(request) ? notJsonByType(request) : null),
  );
}

/**
 * The required body. @throws ProblemError 415 or 400 without one, 400 if it is not an object (or, if allowed, an
 * array).
 */
export function jsonBody(request: FastifyRequest, allowed: 'object' | 'object or array' = 'object'): object {
  const { body } = request;
  if (body === undefined)
    throw isJsonByType(request) ? refused('malformed_body', 'The body is empty.') : notJsonByType(request);
  if (typeof body !== 'object' || body === null || (allowed === 'object' && Array.isArray(body)))
    throw refused('malformed_body', `The body must be a JSON ${allowed}.`);
  return body;
}

function parseJson(request: FastifyRequest, body: Buffer): unknown {
  refuseEncoding(request);
  const json = withoutMark(body);
  return json.length === 0 ? undefined : parseJsonBytes(json, 'body');
}

/** @throws ProblemError 415 if the body is compressed. */
export function refuseEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw refused('unsupported_media_type', 'The body must not be compressed.');
}

/** Parses JSON. @throws ProblemError 400 that describes the fault of the body, or of a line in it. */
export function parseJsonBytes(json: Buffer, what: 'body' | 'line'): unknown {
  if (!isUtf8(json)) throw refused('malformed_body', `The ${what} is not UTF-8.`);
  if (isDeeperThan(DEEPEST_BODY, json))
    throw refused('malformed_body', `The ${what} is nested more than ${DEEPEST_BODY} levels deep.`);
  const text = json.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw refused('malformed_body', notJson(text, what));
  }
}

function notJson(json: string, what: 'body' | 'line'): string {
  const fault = jsonFault(json);
  if (fault === null) return `The ${what} is not JSON.`;
  const { line, column, expected, found } = fault;
  const place = what === 'line' ? `column ${column}` : `line ${line}, column ${column}`;
  return `The ${what} is not JSON: expected ${expected} at ${place}, found ${found}.`;
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const mediaType = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').split(';', 1).join('').trim();

const isJsonByType = (request: FastifyRequest): boolean =>
  /^application\/(?:json|[\w.-]+\+json)$/i.test(mediaType(request));

export function notJsonByType(request: FastifyRequest): ProblemError {
  const given = mediaType(request).slice(0, LONGEST_SHOWN);
  const instead = given === '' ? '' : `, not ${given}`;
  const types = request.routeOptions.config.takesLines
    ? 'application/json or application/x-ndjson'
    : 'application/json';
  return refused('unsupported_media_type', `The Content-Type must be ${types}${instead}.`);
}

const LONGEST_SHOWN = 64;

const refused = (code: ProblemCode, detail: string): ProblemError => new ProblemError(problemOf(code, detail));
