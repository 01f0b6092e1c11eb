import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type JsonSchema, mapSubschemas } from './json-schema.ts';

/** Whether a schema describes a request or an answer. */
export type Direction = 'input' | 'output';

/** The schemas with an id. Each is described once and referenced elsewhere. */
export class ComponentSchemas {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #added = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() };

  /**
   * The JSON Schema of a zod schema, or a reference to it if it has an id. Returns the same object each time; do not
   * change it.
   *
   * @throws Error if two different schemas have the same id.
   */
  add(schema: z.ZodType, direction: Direction): JsonSchema {
    const added = this.#added[direction].get(schema) ?? this.#write(schema, direction);
    this.#added[direction].set(schema, added);
    return added;
  }

  #write(schema: z.ZodType, direction: Direction): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...written
    } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
    }) as JsonSchema;
    for (const [id, definition] of Object.entries($defs)) this.#define(id, tidy(definition, direction));
    return tidy(written, direction);
  }

  /** All component schemas, by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #define(id: string, definition: JsonSchema): void {
    const known = this.#schemas.get(id);
    if (known !== undefined && !isDeepStrictEqual(known, definition)) throw new Error(`two schemas are named ${id}`);
    this.#schemas.set(id, definition);
  }
}

/**
 * Simplifies a schema made by zod without changing its meaning. Schemas of answers allow fields that later releases may
 * add.
 */
function tidy(schema: JsonSchema, direction: Direction): JsonSchema {
  const {
    const: only,
    minimum,
    maximum,
    pattern,
    multipleOf,
    ...others
  } = mapSubschemas(schema, (inner) => tidy(inner, direction));
  const { propertyNames: _, additionalProperties, ...rest } = others;
  const isClosed = additionalProperties === false && direction === 'input';
  return referred(
    nullable(
      listed({
        ...rest,
        ...formatOf(rest),
        // Code generators for Java write every constant as a text, whatever its type.
        ...(typeof only === 'string' && { const: only }),
        ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
        ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
        ...(multipleOf !== undefined && rest.type !== 'integer' && { multipleOf }),
        ...(pattern !== undefined && rest.format === undefined && { pattern }),
        ...((isClosed || typeof additionalProperties === 'object') && { additionalProperties }),
      }),
    ),
  );
}

/** Without a format, Go reads numbers with 24 bits of precision, and Java integers with 32 bits. */
function formatOf({ type, format }: JsonSchema): { readonly format?: string } {
  const types = [type].flat();
  if (format !== undefined) return {};
  if (types.includes('integer')) return { format: 'int64' };
  return types.includes('number') ? { format: 'double' } : {};
}

function referred(schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return $ref === undefined ? schema : { ...schema, $ref: $ref.replace('#/$defs/', '#/components/schemas/') };
}

/**
 * The items of a list as a schema: code generators accept neither booleans, nor schemas without any valid value, nor
 * lists without `items`.
 */
function listed({ items, ...rest }: JsonSchema): JsonSchema {
  if (typeof items !== 'object') return rest.type === 'array' ? { ...rest, items: {} } : rest;
  return items.not === undefined ? { ...rest, items } : { ...rest, items: {}, maxItems: 0 };
}

/** Rewrites `{anyOf: [{type: X, …}, {type: null}]}` as `{type: [X, null], …}`. */
function nullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...outer } = schema;
  const [inner, nothing, ...more] = anyOf ?? [];
  if (inner === undefined || nothing?.type !== 'null' || more.length > 0) return schema;
  if (typeof inner.type !== 'string' || inner.enum !== undefined || inner.type === 'object') return schema;
  return { ...inner, ...outer, type: [inner.type, 'null'] };
}
