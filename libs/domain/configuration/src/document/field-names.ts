import { z } from 'zod';
import { isMap, valueAt } from './place.ts';
import type { Path } from './path.ts';

/** The fields that the schema has at this path of the value. Among variants, the value itself selects one. */
export function fieldNamesAt(schema: z.core.$ZodType, root: unknown, path: Path): string[] {
  const found = path.reduce<z.core.$ZodType | undefined>(
    (inner, segment, depth) => inner && step(resolve(inner, valueAt(root, path.slice(0, depth))), segment),
    schema,
  );
  const object = found && resolve(found, valueAt(root, path));
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function step(schema: z.core.$ZodType | undefined, segment: string | number): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodObject ? schema.shape[segment] : undefined;
}

/** Unwraps defaults and the like, and picks the variant whose discriminator the value has. */
export function resolve(schema: z.core.$ZodType, value: unknown): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return resolve(schema.unwrap(), value);
  if (schema instanceof z.ZodDiscriminatedUnion) return variantOf(schema, value);
  if (schema instanceof z.ZodUnion) return schema.options.find((option) => hasForm(option, value));
  return schema;
}

/** Whether a value has the type of a variant without a discriminator. */
function hasForm(option: z.core.$ZodType, value: unknown): boolean {
  if (option instanceof z.ZodArray) return Array.isArray(value);
  return option instanceof z.ZodObject && isMap(value);
}

function variantOf(union: z.ZodDiscriminatedUnion, value: unknown): z.core.$ZodType | undefined {
  const { discriminator } = union.def;
  return union.options.find((option) => {
    const tag = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
    return tag instanceof z.ZodLiteral && tag.values.has(valueAt(value, [discriminator]) as never);
  });
}
