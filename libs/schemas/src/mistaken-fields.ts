import { z } from 'zod';
import { distanceWithin } from './near-name.ts';
import type { ProblemItem } from './problem.ts';

/**
 * By schema: other names that clients use for its fields, each with the path of the intended field. Register a schema last, because schemas
 * derived from it afterwards share its names.
 */
export const otherNames = z.registry<{ readonly names: Readonly<Record<string, string>> }>();

/** Shorter names are too close to each other: `tz` is one edit away from `t`, `id` from `uid`. */
const SHORTEST_MISSPELLED = 5;
const LONGEST_NAME = 64;
const MOST_ITEMS = 100;
/** A body of 8 MiB may have hundreds of thousands of fields: comparing all of them would block other requests. */
const MOST_COMPARED = 1_000;

/** The names of an object's fields. `within` has the names in fields that are objects, or `lists` of objects. */
interface FieldNames {
  readonly within: ReadonlyMap<string, FieldNames | null>;
  readonly lists: ReadonlySet<string>;
  readonly meantBy: ReadonlyMap<string, string>;
  readonly misspellable: readonly string[];
}

/**
 * The unknown fields of a body that are close to a known one: in another case or with underscores, one edit away, or a common other name
 * (specification, section 2.3). Ignoring them would lose the caller's data. Other unknown fields are ignored. Looks at the first thousand
 * unknown fields, and names at most a hundred.
 */
export function mistakenFields(schema: z.ZodType, body: unknown): ProblemItem[] {
  const found: Found = { items: [], compared: 0 };
  const names = namesOf(schema);
  if (names !== null) collect(names, body, '', found);
  return found.items;
}

/**
 * The unknown parameters of a query that are close to a known one.
 * @param known the names of all parameters that the route reads
 */
export function mistakenParameters(known: Iterable<string>, query: object): ProblemItem[] {
  const fields = [...known].map((name) => [name, null] as const);
  const names = new Set(fields.map(([name]) => name));
  if (Object.keys(query).every((name) => names.has(name))) return [];
  const found: Found = { items: [], compared: 0 };
  collect({ within: new Map(fields), lists: new Set(), ...nearTo([...names]) }, query, '', found);
  return found.items;
}

interface Found {
  readonly items: ProblemItem[];
  compared: number;
}

function collect(names: FieldNames, value: unknown, path: string, found: Found): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const key of Object.keys(value)) {
    const within = names.within.get(key);
    const field = (value as Readonly<Record<string, unknown>>)[key];
    if (within && !names.lists.has(key)) collect(within, field, `${path}${key}.`, found);
    else if (within && Array.isArray(field))
      for (const [index, item] of field.entries()) collect(within, item, `${path}${key}.${index}.`, found);
    if (within !== undefined || found.items.length === MOST_ITEMS || found.compared === MOST_COMPARED) continue;
    found.compared++;
    const meant = meantBy(names, key);
    if (meant !== null) found.items.push({ path: `${path}${key}`, message: `is unknown: use ${path}${meant}` });
  }
}

function meantBy({ meantBy: known, misspellable }: FieldNames, key: string): string | null {
  if (key.length > LONGEST_NAME) return null;
  const name = folded(key);
  return known.get(name) ?? misspellable.find((field) => distanceWithin(1, name, folded(field)) !== null) ?? null;
}

const folded = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

const cache = new WeakMap<z.ZodType, FieldNames>();

/**
 * The names of a schema's fields or, for a list, those of its items; null if the schema is not an object with named
 * fields.
 */
function namesOf(schema: z.ZodType): FieldNames | null {
  const known = cache.get(schema);
  if (known !== undefined) return known;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return namesOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return namesOf(schema.element as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return null;
  const names = readNames(schema);
  cache.set(schema, names);
  return names;
}

function isList(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return isList(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray;
}

function readNames(schema: z.ZodObject): FieldNames {
  const fields = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  const other = Object.entries(otherNames.get(schema)?.names ?? {});
  return {
    within: new Map(fields.map(([name, field]) => [name, namesOf(field)])),
    lists: new Set(fields.filter(([, field]) => isList(field)).map(([name]) => name)),
    ...nearTo(
      fields.map(([name]) => name),
      other,
    ),
  };
}

const nearTo = (
  known: readonly string[],
  other: readonly (readonly [string, string])[] = [],
): Pick<FieldNames, 'meantBy' | 'misspellable'> => ({
  meantBy: new Map([
    ...other.map(([name, meant]) => [folded(name), meant] as const),
    ...known.map((name) => [folded(name), name] as const),
  ]),
  misspellable: known.filter(({ length }) => length >= SHORTEST_MISSPELLED),
});
