import type { z } from 'zod';
import { compiledSchema } from './compiled-schema.ts';
import { mistakenFields } from './mistaken-fields.ts';
import { type ProblemItem, problemItems } from './problem.ts';

/** A body as its schema reads it, and everything that is wrong with it. `data` counts only if there are no errors. */
type ReadRequest<Data> = { readonly data: Data | undefined; readonly errors: ProblemItem[] };

/** Reads the body of a request: what the schema refuses, then fields that were probably meant to be others. */
export function readRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): ReadRequest<z.output<Schema>> {
  const { data, error } = compiledSchema(schema).safeParse(body);
  const mistaken = mistakenFields(schema, body);
  return { data, errors: error ? [...problemItems(error), ...mistaken] : mistaken };
}
