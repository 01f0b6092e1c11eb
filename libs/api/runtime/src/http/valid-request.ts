import { invalidRequest, ProblemError, readRequest, unknownThing } from '@laurel/schemas';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { jsonBody } from './json-body.ts';

/** Parses a value with its schema. @throws ProblemError 422 with every problem */
export function valid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, errors } = readRequest(schema, value);
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return data;
}

/** Parses the body of a request, as {@link valid}. @throws ProblemError 415 or 400 as `jsonBody` */
export const validBody = <Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> =>
  valid(schema, jsonBody(request));

/** A refusal because of one field or parameter. */
export const invalidField = (path: string, message: string): ProblemError =>
  new ProblemError(invalidRequest([{ path, message }]));

/** The configured entry that a request names by key. @throws ProblemError 404 that suggests the nearest key */
export function configured<Thing>(
  code: Parameters<typeof unknownThing>[0],
  key: string,
  byKey: ReadonlyMap<string, Thing>,
): Thing {
  const thing = byKey.get(key);
  if (thing === undefined) throw new ProblemError(unknownThing(code, key, byKey.keys()));
  return thing;
}
