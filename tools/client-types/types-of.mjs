/**
 * The TypeScript types of an OpenAPI document in the form that openapi-fetch takes: `paths`, `webhooks`, `components` and `operations`, and
 * an alias of each component. Where JSON is one of several media types the others are left out: no client could use their union.
 *
 * @throws Error if a schema says more than it can express
 */
export function typesOf({ paths, webhooks, components }) {
  const items = [...Object.values(paths), ...Object.values(webhooks)];
  const operations = items.flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  const kinds = Object.entries(COMPONENTS).map(([kind, [typeOf]]) => [
    kind,
    Object.entries(components[kind] ?? {}),
    typeOf,
  ]);
  return [
    `export interface paths ${pathItems(paths)}`,
    `export interface webhooks ${pathItems(webhooks)}`,
    `export interface components ${block(kinds.map(([kind, named, typeOf]) => member(kind, members(named, typeOf))))}`,
    ...kinds.flatMap(([kind, named]) => named.map(([name]) => alias(kind, name))),
    'export type $defs = Record<string, never>;',
    `export interface operations ${block(operations.map((one) => member(one.operationId, operation(one))))}`,
    '',
  ].join('\n');
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const PLACES = ['query', 'header', 'path', 'cookie'];

/** For each kind of component: its type, and the prefix of its alias. */
const COMPONENTS = {
  schemas: [schema, ''],
  responses: [response, 'Response'],
  parameters: [never, 'Parameter'],
  requestBodies: [never, 'RequestBody'],
  headers: [(header) => schema(header.schema), 'Header'],
  pathItems: [never, 'PathItem'],
};

const alias = (kind, name) => `export type ${COMPONENTS[kind][1]}${pascal(name)} = components['${kind}']['${name}'];`;

const pascal = (name) => name.replace(/(?:^|[^A-Za-z\d]+)([a-z])?/g, (_, first = '') => first.toUpperCase());

const pathItems = (named) => members(Object.entries(named), pathItem);

const pathItem = (item) =>
  block([
    member('parameters', block(PLACES.map(absent))),
    ...METHODS.map((method) =>
      item[method] === undefined
        ? absent(method)
        : member(method, `operations[${literal(item[method].operationId)}]`, { about: item[method] }),
    ),
  ]);

function operation({ parameters = [], requestBody, responses }) {
  return block([
    member('parameters', block(PLACES.map((place) => parametersIn(place, parameters)))),
    requestBody === undefined
      ? absent('requestBody')
      : member('requestBody', block([member('content', contents(requestBody.content))]), {
          isOptional: !requestBody.required,
          about: requestBody,
        }),
    member('responses', members(Object.entries(responses), response)),
  ]);
}

function parametersIn(place, parameters) {
  const found = parameters.filter((parameter) => parameter.in === place);
  const isOptional = found.every(({ required }) => !required);
  const types = found.map((one) => member(one.name, schema(one.schema), { isOptional: !one.required, about: one }));
  return found.length === 0 ? absent(place) : member(place, block(types), { isOptional });
}

function response({ $ref, headers = {}, content }) {
  if ($ref !== undefined) return reference($ref);
  const named = Object.entries(headers).map(([name, { $ref: header }]) => member(name, reference(header)));
  return block([
    member('headers', block([...named, '[name: string]: unknown;'])),
    content === undefined ? absent('content') : member('content', contents(content)),
  ]);
}

function contents({ 'application/json': json, ...others }) {
  const spoken = json === undefined ? others : { 'application/json': json };
  return block(Object.entries(spoken).map(([type, content]) => member(type, schema(content.schema ?? {}))));
}

function schema(described) {
  const { $ref, type, items, prefixItems, anyOf, oneOf = anyOf, allOf, patternProperties, not } = described;
  if ([allOf, patternProperties, not].some((keyword) => keyword !== undefined))
    throw new Error(`no type can be made of ${JSON.stringify(described)}`);
  if ($ref !== undefined) return reference($ref);
  if (described.const !== undefined) return literal(described.const);
  if (described.enum !== undefined) return union(described.enum.map(literal));
  if (oneOf !== undefined) return union(oneOf.map(schema));
  if (Array.isArray(type)) return union(type.map((each) => schema({ ...described, type: each })));
  switch (type) {
    case undefined:
      return 'unknown';
    case 'integer':
      return 'number';
    case 'array':
      return prefixItems === undefined ? `(${schema(items)})[]` : `[${prefixItems.map(schema).join(', ')}]`;
    case 'object':
      return object(described);
    default:
      return type;
  }
}

function object({ properties, required = [], additionalProperties }) {
  const fields = Object.entries(properties ?? {}).map(([name, field]) =>
    member(name, schema(field), { isOptional: !required.includes(name), about: field }),
  );
  const others = additionalProperties ? [block([`[key: string]: ${schema(additionalProperties)};`])] : [];
  if (fields.length > 0) return [block(fields), ...others].join(' & ');
  return others[0] ?? 'Record<string, never>';
}

/** `#/components/schemas/User` → `components['schemas']['User']`. */
function reference($ref) {
  const [, root, ...names] = $ref.split('/');
  return root + names.map((name) => `[${literal(name)}]`).join('');
}

function never() {
  return 'never';
}

const literal = (value) => (typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value));
const union = (types) => [...new Set(types)].join(' | ');
const block = (lines) => `{\n${lines.join('\n')}\n}`;
const absent = (name) => `${name}?: never;`;

const members = (named, typeOf) =>
  named.length === 0 ? 'never' : block(named.map(([name, one]) => member(name, typeOf(one), { about: one })));

function member(name, type, { isOptional = false, about = {} } = {}) {
  const key = /^[\w$]+$/.test(name) ? name : literal(name);
  return `${comment(about)}${key}${isOptional ? '?' : ''}: ${type};`;
}

/** The comment that editors show for a type. */
function comment(about) {
  const { summary, format, deprecated, example, examples = [] } = about;
  const lines = [
    ...(summary === undefined ? [] : [summary]),
    ...(format === undefined ? [] : [`Format: ${format}`]),
    ...(deprecated ? ['@deprecated'] : []),
    ...['description', 'default'].flatMap((tag) => (about[tag] === undefined ? [] : [`@${tag} ${shown(about[tag])}`])),
    ...[...(example === undefined ? [] : [example]), ...examples].map((value) => `@example ${shown(value)}`),
    ...(about.const === undefined ? [] : ['@constant']),
    ...(about.enum === undefined ? [] : [`@enum {${[about.type].flat().join('|')}}`]),
  ].map((line) => line.trim().replaceAll('*/', '*\\/').replace(/\r?\n/g, '\n *     '));
  if (lines.length === 0) return '';
  return lines.length === 1 && !lines[0].includes('\n')
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

const shown = (value) => (typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value));
