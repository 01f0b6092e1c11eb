import { configurationDocument } from '@laurel/schemas';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The configuration document as a JSON Schema for editors, in draft 7, which editors support best. It accepts
 * everything that `validateDocument` accepts. Only `validateDocument` finds problems of the whole document (references,
 * duplicates, cycles).
 */
export function configurationJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(configurationDocument, { target: 'draft-7', io: 'input', override: simplify });
  addRules(schema, ['streak', 'freezes'], bothOrNeither('earnEvery', 'earn', 'integer', 'integer'));
  addRules(schema, ['leaderboards'], [...RANKINGS, ...bothOrNeither('runUnit', 'runInterval', 'string', 'integer')]);
  return { $schema: schema.$schema, title: 'Laurel configuration', description: DESCRIPTION, ...schema };
}

const DESCRIPTION = 'What a Laurel service counts and awards. See section 9 of the specification.';

/** Editors show patterns in their messages, so a pattern is removed if a format says the same. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === 'date') delete jsonSchema.pattern;
  // The format alone would also allow offsets.
  if (jsonSchema.format === 'date-time') jsonSchema.pattern = 'Z$';
  if (jsonSchema.format === 'uri') {
    // The format `uri` allows only ASCII.
    delete jsonSchema.format;
    jsonSchema.pattern = '^[Hh][Tt][Tt][Pp][Ss]?:\\S+$';
  }
}

/**
 * Adds rules over several fields to the object at a path of the document. For a list, the rules apply to its entries.
 */
function addRules(schema: JsonSchema, path: readonly string[], rules: readonly JsonSchema[]): void {
  const place = path.reduce<JsonSchema>((inner, name) => asSchema(inner.properties?.[name]), schema);
  const object = place.type === 'array' ? asSchema(place.items) : place;
  object.allOf = [...rules];
}

function asSchema(found: unknown): JsonSchema {
  if (typeof found !== 'object' || found === null) throw new Error('the schema of the document has changed its form');
  return found as JsonSchema;
}

/** Two fields must be both present or both absent; null counts as absent. */
function bothOrNeither(a: string, b: string, typeOfA: Type, typeOfB: Type): JsonSchema[] {
  const [hasA, hasB] = [has(a, typeOfA), has(b, typeOfB)];
  return [
    { if: hasA, then: hasB },
    { if: hasB, then: hasA },
  ];
}

type Type = 'string' | 'integer';

const has = (name: string, type: Type): JsonSchema => ({ properties: { [name]: { type } }, required: [name] });

const rankedBy = (rankBy: string, then: JsonSchema): JsonSchema => ({
  if: { properties: { rankBy: { const: rankBy } }, required: ['rankBy'] },
  then,
});

/** The fields that belong to `rankBy`. */
const RANKINGS: readonly JsonSchema[] = [
  rankedBy('metric', { required: ['metric'], properties: { pointsSystem: false } }),
  rankedBy('points', { required: ['pointsSystem'], properties: { metric: false } }),
  rankedBy('streak', {
    properties: { metric: false, pointsSystem: false, runUnit: { type: 'null' }, runInterval: { type: 'null' } },
  }),
];
