import { OPERATIONS, type RequestBody } from '@laurel/schemas';
import type { JsonSchema } from './json-schema.ts';
import { openApiDocument } from './openapi-document.ts';

/** What generators of clients need: where one of these rules was broken, some client did not compile, or lost what it was given. */
const document = openApiDocument();
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

const VALUES = new Set(['example', 'examples', 'default', 'enum']);

/** Every object of the document with where it is, apart from the values that it shows. */
function* objectsIn(value: unknown, at = ''): Iterable<readonly [string, JsonSchema]> {
  if (typeof value !== 'object' || value === null) return;
  yield [at, value];
  for (const [name, inner] of Object.entries(value))
    if (!VALUES.has(name) || at.endsWith('/properties')) yield* objectsIn(inner, `${at}/${name}`);
}

const objects = [...objectsIn(document)];
const where = (isBroken: (schema: JsonSchema) => boolean): string[] =>
  objects.filter(([, schema]) => isBroken(schema)).map(([at]) => at);

const typesOf = ({ type = [] }: JsonSchema): readonly string[] => [type].flat();
const isConstant = (schema: JsonSchema): boolean => schema.const !== undefined;

/** What is left of a name in snake, camel and Pascal case alike. */
const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function alike(names: readonly string[]): string[] {
  const byFolded = new Map<string, string[]>();
  for (const name of names) byFolded.set(folded(name), [...(byFolded.get(folded(name)) ?? []), name]);
  return [...byFolded.values()].filter(({ length }) => length > 1).map((group) => group.join(' = '));
}

describe('the numbers in the API document', () => {
  it('all have a format, so no client reads them with less than 64 bits', () => {
    const formatOf = (schema: JsonSchema) => (typesOf(schema).includes('integer') ? 'int64' : 'double');
    const isNumber = (schema: JsonSchema) => typesOf(schema).some((type) => type === 'integer' || type === 'number');
    expect(where(isNumber).length).toBeGreaterThan(300);
    expect(where((schema) => isNumber(schema) && schema.format !== formatOf(schema))).toEqual([]);
  });
});

describe('the schemas in the API document', () => {
  it('have no boolean in place of a schema', () => {
    const { length } = where(({ items }) => typeof items === 'object');
    expect(length).toBeGreaterThan(50);
    expect(where(({ items }) => typeof items === 'boolean')).toEqual([]);
    expect(where(({ type, items }) => type === 'array' && items === undefined)).toEqual([]);
  });

  it('have no property that can only be null', () => {
    const isNull = (schema: JsonSchema) => typesOf(schema).join('') === 'null';
    const properties = objects.flatMap(([at, { properties = {} }]) =>
      Object.entries(properties).map(([name, property]) => [`${at}.${name}`, property] as const),
    );
    expect(properties.filter(([, property]) => isNull(property)).map(([at]) => at)).toEqual([]);
  });

  it('have only constants that are strings and not nullable', () => {
    const constants = where(isConstant);
    expect(constants.length).toBeGreaterThan(20);
    const isOther = (schema: JsonSchema) => typeof schema.const !== 'string' || typesOf(schema).includes('null');
    expect(where((schema) => isConstant(schema) && isOther(schema))).toEqual([]);
  });

  it('have a format or a pattern, never both', () => {
    expect(where(({ format }) => format === 'date-time').length).toBeGreaterThan(50);
    expect(where(({ format, pattern }) => typeof format === 'string' && pattern !== undefined)).toEqual([]);
  });
});

describe('the names in the API document', () => {
  it('differ in more than case: schemas, operations, parameters, fields and values', () => {
    expect(alike(Object.keys(schemas))).toEqual([]);
    expect(alike(operations.map(({ operationId }) => operationId))).toEqual([]);
    for (const { operationId, parameters = [] } of operations) {
      const names = (parameters as readonly { readonly name: string }[]).map(({ name }) => name);
      expect({ operationId, alike: alike(names) }).toEqual({ operationId, alike: [] });
    }
    for (const [at, { properties, enum: values }] of objects)
      for (const names of [Object.keys(properties ?? {}), (values ?? []).map(String)])
        expect({ at, alike: alike(names) }).toEqual({ at, alike: [] });
  });

  it('do not collide with names that a generator derives from other schemas', () => {
    const made = Object.keys(schemas).flatMap((name) => [`New${name}`, `New${name}WithDefaults`, `Nullable${name}`]);
    expect(alike([...Object.keys(schemas), ...made])).toEqual([]);
  });

  it('do not collide with names that a generator derives from fields or operations', () => {
    const isInline = ({ $ref, type, enum: values, anyOf }: JsonSchema) =>
      $ref === undefined && (type === 'object' || type === 'array' || values !== undefined || anyOf !== undefined);
    const ofFields = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, property]) => isInline(property))
        .flatMap(([name]) => ['', 'Inner', 'Item', 'Value', 'Enum', 'Type'].map((end) => `${schema} ${name} ${end}`)),
    );
    // Not `Request`: where a schema has that name, typescript-fetch finds another one by itself.
    const ends = ['Response', 'Params', 'Body', 'JSONBody', 'JSONRequestBody', 'Response200'];
    const ofOperations = operations.flatMap(({ operationId }) => ends.map((end) => `${operationId} ${end}`));
    const made = new Set([...ofFields, ...ofOperations].map(folded));
    expect(Object.keys(schemas).filter((name) => made.has(folded(name)))).toEqual([]);
  });

  it('do not collide with names of a language or its library', () => {
    const taken = 'Any Array Boolean Date Double Enum Error Exception File Float Function Integer Iterator Level List';
    const more = 'Locale Logger Long Map Null Number Object Optional Option Record Result Set String Vec Void';
    const known = new Set(`${taken} ${more}`.split(' '));
    expect(Object.keys(schemas).filter((name) => known.has(name))).toEqual([]);
  });
});

type Body = RequestBody & { readonly id: string };
const bodies = OPERATIONS.flatMap(({ id, body }): Body[] => (body === undefined ? [] : [{ id, ...body }]));

const named = (schema: JsonSchema): JsonSchema =>
  schemas[schema.$ref?.slice('#/components/schemas/'.length) ?? ''] ?? schema.anyOf?.[0] ?? schema;

const described = ({ id }: Body): JsonSchema => {
  const { requestBody } = operations.find(({ operationId }) => operationId === id) as {
    readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  };
  return requestBody.content['application/json']?.schema ?? {};
};

type Path = readonly string[];

/** The objects of a request with named fields, each by its path, and how each is described. */
function* objectsOf(value: unknown, schema: JsonSchema, path: Path = []): Iterable<readonly [Path, JsonSchema]> {
  const { properties, items } = named(schema);
  if (Array.isArray(value)) yield* objectsOf(value[0], items as JsonSchema, [...path, '0']);
  else if (typeof value === 'object' && value !== null && properties !== undefined) {
    yield [path, named(schema)];
    for (const [name, inner] of Object.entries(value))
      yield* objectsOf(inner, named(properties[name] ?? {}), [...path, name]);
  }
}

/** The value with a field more in the object at the path. */
function extended(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) return { ...(value as object), zebra: 1 };
  const inner = extended((value as Readonly<Record<string, unknown>>)[first], rest);
  return Array.isArray(value) ? [inner] : { ...(value as object), [first]: inner };
}

describe('the request bodies in the API document', () => {
  it('are objects', () => {
    expect(bodies.filter((body) => named(described(body)).type !== 'object').map(({ id }) => id)).toEqual([]);
  });

  it('forbid additional properties exactly where the service refuses them', () => {
    let closed = 0;
    for (const body of bodies)
      for (const [path, { additionalProperties }] of objectsOf(body.example, described(body))) {
        const { error } = body.schema.safeParse(extended(body.example, path));
        const refused = error?.issues.some(({ code }) => code === 'unrecognized_keys') ?? false;
        closed += Number(refused);
        expect({ id: body.id, path, closed: additionalProperties === false }).toEqual({
          ...{ id: body.id, path, closed: refused },
        });
      }
    expect(closed).toBeGreaterThan(5);
  });
});
