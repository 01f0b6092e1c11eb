import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type JsonSchema, mapSubschemas } from './json-schema.ts';

/** Whether a schema says what may be sent, or what is answered. */
export type Direction = 'input' | 'output';

/** The schemas that have an id: each is described once, and referred to wherever it is used. */
export class ComponentSchemas {
  readonly #schemas = new Map<string, JsonSchema>();

  /**
   * The JSON Schema of a zod schema, or a reference to it if it has an id.
   *
   * @throws Error if two schemas have one id but say different things.
   */
  add(schema: z.ZodType, direction: Direction): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...written
    } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
    }) as JsonSchema;
    for (const [id, definition] of Object.entries($defs)) this.#define(id, tidy(definition));
    return tidy(written);
  }

  /** All of them, by name. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #define(id: string, definition: JsonSchema): void {
    const known = this.#schemas.get(id);
    if (known !== undefined && !isDeepStrictEqual(known, definition)) throw new Error(`two schemas are named ${id}`);
    this.#schemas.set(id, definition);
  }
}

/** What zod writes, in the words of people: the same values, said more simply, open to fields that come later. */
function tidy(schema: JsonSchema): JsonSchema {
  const { minimum, maximum, pattern, propertyNames: _, additionalProperties, ...rest } = mapSubschemas(schema, tidy);
  return referred(
    nullable(
      emptyList({
        ...rest,
        ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
        ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
        ...(pattern !== undefined && patternBeside(rest.format, pattern)),
        ...(typeof additionalProperties === 'object' && { additionalProperties }),
      }),
    ),
  );
}

/** Most formats say it already; that of instants says nothing of UTC. */
function patternBeside(format: string | undefined, pattern: string): { readonly pattern?: string } {
  if (format === undefined) return { pattern };
  return format === 'date-time' ? { pattern: 'Z$' } : {};
}

function referred(schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return $ref === undefined ? schema : { ...schema, $ref: $ref.replace('#/$defs/', '#/components/schemas/') };
}

/** A list that can hold nothing. */
function emptyList({ items, ...rest }: JsonSchema): JsonSchema {
  if (items === undefined) return rest;
  return typeof items === 'object' && items.not !== undefined
    ? { ...rest, items: {}, maxItems: 0 }
    : { ...rest, items };
}

/** `{anyOf: [{type: X, …}, {type: null}]}` is `{type: [X, null], …}`. */
function nullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...outer } = schema;
  const [inner, nothing, ...more] = anyOf ?? [];
  if (inner === undefined || nothing?.type !== 'null' || more.length > 0) return schema;
  if (typeof inner.type !== 'string' || inner.enum !== undefined || inner.type === 'object') return schema;
  return { ...inner, ...outer, type: [inner.type, 'null'] };
}
