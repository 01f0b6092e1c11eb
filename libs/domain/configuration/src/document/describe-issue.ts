import type { z } from 'zod';
import { quote } from './path.ts';
import type { Path } from './path.ts';
import { MOST_FAULTS, valueFault } from './problem.ts';
import type { Fault } from './problem.ts';
import { isMap, valueAt } from './place.ts';
import type { Suggest } from '@laurel/schemas';
import { fieldNamesAt } from './field-names.ts';

type Issue = z.core.$ZodIssue;

/**
 * Describes a zod issue in the words of the document: the expected and the found value, and suggestions for unknown fields. Returns at most
 * one unknown field more than {@link MOST_FAULTS}.
 */
export function faultsOf(issue: Issue, schema: z.core.$ZodType, root: unknown, suggest: Suggest): Fault[] {
  const path = issue.path.map((segment) => (typeof segment === 'number' ? segment : String(segment)));
  if (issue.code === 'unrecognized_keys')
    return unknownFields(issue.keys, path, fieldNamesAt(schema, root, path), suggest);
  const found = valueAt(root, path);
  if (issue.code === 'invalid_union' && !('options' in issue) && found !== undefined)
    return closestVariant(issue.errors).flatMap((inner) =>
      faultsOf({ ...inner, path: [...issue.path, ...inner.path] } as Issue, schema, root, suggest),
    );
  if (found === undefined) return [valueFault(path, `missing: expected ${expectedBy(issue)}`)];
  return [valueFault(path, `expected ${expectedBy(issue)}, found ${describeValue(found)}${hint(issue, found)}`)];
}

/** `key: 7` and `name: true` are a number and a boolean in YAML, which is easily overlooked. */
function hint(issue: Issue, found: unknown): string {
  const isPlain = typeof found === 'number' || typeof found === 'boolean';
  return issue.code === 'invalid_type' && issue.expected === 'string' && isPlain ? ' (put it in quotes)' : '';
}

/** Issues of a value that has the type of the variant. */
const BOUNDS: ReadonlySet<Issue['code']> = new Set(['too_small', 'too_big', 'unrecognized_keys']);

/** The variant that best fits the type of the value, or else the last one. For variants that no field distinguishes. */
function closestVariant(variants: readonly (readonly Issue[])[]): readonly Issue[] {
  const hasForm = (issues: readonly Issue[]) => issues.every(({ path, code }) => path.length > 0 || BOUNDS.has(code));
  return variants.find(hasForm) ?? variants.at(-1) ?? [];
}

function unknownFields(names: readonly string[], path: Path, known: readonly string[], suggest: Suggest) {
  return names.slice(0, MOST_FAULTS + 1).map((name): Fault => {
    const message = `unknown field ${quote(name)}${suggest(name, known)}; expected one of ${known.join(', ')}`;
    return { path: [...path, name], part: 'name', message };
  });
}

const TYPES = new Map<string, string>([
  ['object', 'a map of fields'],
  ['array', 'a list'],
  ['string', 'text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
]);

const FORMATS = new Map<string, string>([
  ['regex', 'a key: 1 to 64 letters, digits, _ or -'],
  ['date', 'a calendar date, YYYY-MM-DD'],
  ['datetime', 'an instant in UTC such as 2026-01-31T12:00:00Z'],
  ['url', 'an http or https address'],
]);

function expectedBy(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES.get(issue.expected) ?? issue.expected;
    case 'invalid_format':
      return FORMATS.get(issue.format) ?? issue.message;
    case 'invalid_value':
      return oneOf(issue.values.map(String));
    case 'invalid_union':
      return oneOf(unionOptions(issue));
    case 'too_small':
      return `${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}${entriesIfList(issue.origin)}`;
    case 'too_big':
      return `at most ${issue.maximum}${entriesIfList(issue.origin)}`;
    default:
      return issue.message;
  }
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
}

function unionOptions(issue: Issue): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function entriesIfList(origin: string): string {
  return origin === 'array' ? ' in the list' : '';
}

function describeValue(value: unknown): string {
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isMap(value)) return 'a map of fields';
  return typeof value === 'string' ? quote(value) : String(value);
}
