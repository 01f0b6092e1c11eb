import { isMap, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml';

/** The part of JSON Schema that the schema of the configuration uses. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

export interface Suggestion {
  readonly label: string;
  readonly kind: 'field' | 'value';
  readonly about: string;
  readonly isRequired: boolean;
}

/** Longer texts are not parsed at each key press. */
const LONGEST = 200_000;
/** A text that no document contains. */
const MARK = 'SUGGEST-HERE';
/** Fields that refer to an entry of a list of the document. */
const LISTS: Readonly<Record<string, string>> = {
  metric: 'metrics',
  achievement: 'achievements',
  achievements: 'achievements',
  pointsSystem: 'points',
};

/**
 * Suggestions for the word from `from` to `to`: missing fields, values of the schema, or names in the document. A mark
 * replaces the word and the text is parsed, so this works with any notation of YAML.
 */
export function suggestionsAt(text: string, from: number, to: number, schema: JsonSchema): readonly Suggestion[] {
  if (text.length > LONGEST) return [];
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const rest = /^[^\n]*/.exec(text.slice(to))?.[0] ?? '';
  const isFieldOfBlock = /^\s*(?:-\s+)*$/.test(text.slice(lineStart, from)) && !rest.includes(':');
  const marked = `${text.slice(0, from)}${MARK}${isFieldOfBlock ? ':' : ''}${text.slice(to)}`;
  const document = parseDocument(marked);
  let found: readonly Suggestion[] = [];
  visit(document, {
    Scalar(place, node, ancestors) {
      if (node.value !== MARK) return undefined;
      const above = ancestors.filter((one) => isMap(one) || isSeq(one) || isPair(one));
      const path = pathOf(above, node);
      const inField = place === 'key';
      const parent = inField ? above.at(-2) : above.at(-1);
      const present = isMap(parent) ? namesIn(parent) : new Map<string, unknown>();
      const holders = schemasAt(schema, inField ? path.slice(0, -1) : path, document.toJS() as unknown);
      found = inField
        ? fieldsOf(holders, present)
        : [...valuesOf(holders), ...namesFor(path, document.toJS() as unknown)];
      // At the start of a list of maps, suggest the fields of its first entry.
      if (!inField && holders.some(({ properties }) => properties)) found = fieldsOf(holders, new Map());
      return visit.BREAK;
    },
  });
  return found;
}

function pathOf(above: readonly unknown[], marked: unknown): readonly (string | number)[] {
  return above.flatMap((one, depth): (string | number)[] => {
    const child = above[depth + 1] ?? marked;
    if (isSeq(one)) return [one.items.indexOf(child as never)];
    return isPair(one) && isScalar(one.key) ? [String(one.key.value)] : [];
  });
}

const namesIn = (map: { readonly items: readonly unknown[] }): Map<string, unknown> =>
  new Map(
    map.items.flatMap((one) =>
      isPair(one) && isScalar(one.key) && one.key.value !== MARK
        ? [[String(one.key.value), isScalar(one.value) ? one.value.value : undefined]]
        : [],
    ),
  );

/** The schemas that may apply to the value at a path. Among variants, those that match its `type`. */
function schemasAt(schema: JsonSchema, path: readonly (string | number)[], root: unknown): readonly JsonSchema[] {
  let schemas = alternatives(schema, root);
  let value = root;
  for (const part of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined;
    schemas = schemas
      .map(({ properties, items }) => (typeof part === 'number' ? items : properties?.[part]))
      .flatMap((one) => (one === undefined ? [] : alternatives(one, value)));
  }
  return schemas;
}

function alternatives(schema: JsonSchema, value: unknown): readonly JsonSchema[] {
  const all = schema.oneOf ?? schema.anyOf;
  if (all === undefined) return [schema];
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const agreeing = all.filter(({ properties = {} }) =>
    Object.entries(properties).every(([name, one]) => one.const === undefined || one.const === given[name]),
  );
  return agreeing.length > 0 ? agreeing : all;
}

function fieldsOf(schemas: readonly JsonSchema[], present: ReadonlyMap<string, unknown>): readonly Suggestion[] {
  const fields = new Map<string, Suggestion>();
  for (const { properties = {}, required = [] } of schemas)
    for (const [label, { description = '' }] of Object.entries(properties))
      if (!present.has(label) && !fields.has(label))
        fields.set(label, { label, kind: 'field', about: description, isRequired: required.includes(label) });
  return [...fields.values()];
}

function valuesOf(schemas: readonly JsonSchema[]): readonly Suggestion[] {
  const values = schemas.flatMap((schema) => {
    const own = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
    const either = schema.type === 'boolean' ? [true, false] : [];
    return [...own, ...either].map((value) => [String(value), schema.description ?? ''] as const);
  });
  return [...new Map(values)].map(([label, about]) => ({ label, kind: 'value', about, isRequired: false }));
}

/** The keys of the list that the field refers to. */
function namesFor(path: readonly (string | number)[], root: unknown): readonly Suggestion[] {
  const list = LISTS[String(path.findLast((part) => typeof part === 'string') ?? '')];
  if (list === undefined || path.length < 2) return [];
  const entries = (root as Readonly<Record<string, unknown>>)[list];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const { key, name } = (entry ?? {}) as { readonly key?: unknown; readonly name?: unknown };
    if (typeof key !== 'string' || key === MARK) return [];
    return [{ label: key, kind: 'value' as const, about: typeof name === 'string' ? name : '', isRequired: false }];
  });
}
