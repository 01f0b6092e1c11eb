import type { z } from 'zod';
import { compiledSchema } from './compiled-schema.ts';
import { mistakenFields } from './mistaken-fields.ts';
import { type ProblemItem, problemItems } from './problem.ts';

/** The data that a schema reads from a body, and all errors. `data` is valid only if there are no errors. */
type ReadRequest<Data> = { readonly data: Data | undefined; readonly errors: ProblemItem[] };

/** Reads the body of a request. The errors of the schema come first, then fields that are probably misspelt. */
export function readRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): ReadRequest<z.output<Schema>> {
  const { data, error } = compiledSchema(schema).safeParse(body);
  const mistaken = mistakenFields(schema, body);
  return { data, errors: error ? [...problemItems(error), ...mistaken] : mistaken };
}
