import { z } from 'zod';
import { resolve } from './field-names.ts';
import type { Path } from './path.ts';
import { isMap } from './place.ts';

type Issue = z.core.$ZodIssue;

/**
 * Checks a value like its schema, but element by element of its lists: the caller can stop at any step, or yield to other work, while zod
 * would process hundreds of thousands of elements at once. Each step yields the issues of one element, without its own lists; paths begin
 * at the root. Returns the parsed value, which is valid only if there were no issues.
 */
export function* checkFields(
  schema: z.core.$ZodType,
  value: unknown,
  path: Path = [],
): Generator<readonly Issue[], unknown, void> {
  const checked = withoutElements(schema).safeParse(value);
  yield checked.success
    ? []
    : onceEach(checked.error.issues).map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  const made = checked.success ? checked.data : value;
  for (const list of listsIn(schema, made, path)) {
    for (const [index, element] of list.elements.entries()) {
      const madeElement = yield* checkFields(list.schema, element, [...list.path, index]);
      if (checked.success) list.elements[index] = madeElement;
    }
  }
  return made;
}

/**
 * zod reports a whole number beyond 2⁵³ twice: as an unsafe integer, and as exceeding its bound. Keeps the last issue
 * of each value, which names the bound.
 */
function onceEach(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [identityOf(issue), issue])).values()];
}

function identityOf({ code, path, message }: Issue): string {
  return JSON.stringify([code === 'custom' ? message : code, path]);
}

const shells = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * The schema with its lists replaced by lists of anything. Parsing still copies the lists, as the original schema
 * would.
 */
function withoutElements(schema: z.core.$ZodType): z.ZodType {
  const known = shells.get(schema);
  if (known !== undefined) return known;
  const shell = makeShell(schema);
  shells.set(schema, shell);
  return shell;
}

function makeShell(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: z.unknown() });
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return schema.clone({ ...schema.def, innerType: withoutElements(schema.def.innerType) } as never);
  if (schema instanceof z.ZodUnion)
    return schema.clone({ ...schema.def, options: schema.options.map(withoutElements) as never });
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as z.ZodRawShape);
    return schema.clone({
      ...schema.def,
      shape: Object.fromEntries(fields.map(([name, field]) => [name, withoutElements(field)])),
    });
  }
  return schema as z.ZodType;
}

interface List {
  readonly schema: z.core.$ZodType;
  readonly elements: unknown[];
  readonly path: Path;
}

/** The lists in a value that the schema declares, except lists inside other lists. */
function* listsIn(schema: z.core.$ZodType, value: unknown, path: Path): Generator<List> {
  const inner = resolve(schema, value);
  if (inner instanceof z.ZodArray && Array.isArray(value)) yield { schema: inner.element, elements: value, path };
  if (!(inner instanceof z.ZodObject) || !isMap(value)) return;
  for (const [name, field] of Object.entries(inner.shape as z.ZodRawShape))
    if (Object.hasOwn(value, name)) yield* listsIn(field, value[name], [...path, name]);
}
