import { OPERATIONS } from '@laurel/schemas';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from './json-schema.ts';
import { openApiDocument } from './openapi-document.ts';

const document = openApiDocument();
const { schemas } = document.components;

/** A schema with where it is, and everything inside of it. */
function* within(schema: JsonSchema, at: string): Iterable<readonly [string, JsonSchema]> {
  yield [at, schema];
  const { properties = {}, additionalProperties, items, prefixItems = [], anyOf = [] } = schema;
  for (const [name, inner] of Object.entries(properties)) yield* within(inner, `${at}.${name}`);
  for (const inner of [additionalProperties, items, ...prefixItems, ...anyOf])
    if (typeof inner === 'object') yield* within(inner, `${at}[]`);
}

const everySchema = () => Object.entries(schemas).flatMap(([name, schema]) => [...within(schema, name)]);

/** The schemas outside of the components: of parameters, bodies and answers. */
function* inlineSchemas(value: unknown, at = ''): Iterable<readonly [string, JsonSchema]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    if (name === 'schema') yield* within(inner, `${at}/${name}`);
    else if (name !== 'example') yield* inlineSchemas(inner, `${at}/${name}`);
}

/** Its own, or that of what it refers to. */
const descriptionOf = ({ description, $ref = '' }: JsonSchema): string =>
  description ?? schemas[$ref.slice('#/components/schemas/'.length)]?.description ?? '';

const undescribed = (entries: Iterable<readonly [string, JsonSchema]>): string[] =>
  [...entries].flatMap(([at, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, property]) => descriptionOf(property).length < 4)
      .map(([name]) => `${at}.${name}`),
  );

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 without unused components', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // What is served without a key, parameters or a body has no error of its own.
      rules: { 'operation-4xx-response': 'off' },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer ?? ''}`),
    ).toEqual([]);
  });

  it('describes every schema, property, operation, parameter and answer', () => {
    expect(Object.keys(schemas).filter((name) => schemas[name]?.description === undefined)).toEqual([]);
    expect(undescribed(everySchema())).toEqual([]);
    expect(undescribed(inlineSchemas(document.paths))).toEqual([]);
    for (const [path, operations] of Object.entries(document.paths))
      for (const operation of Object.values(operations)) {
        const described = [operation, ...(operation.parameters ?? [])] as { description?: string }[];
        expect({ path, lacking: described.filter(({ description }) => !description) }).toEqual({ path, lacking: [] });
      }
  });

  it('has examples of fields that match their schemas', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    formats.default(ajv);
    for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `#/components/schemas/${name}`);
    let shown = 0;
    for (const [at, { examples = [], ...schema }] of everySchema())
      for (const example of examples) {
        shown += 1;
        expect({ at, example, fits: ajv.validate(schema, example) }).toEqual({ at, example, fits: true });
      }
    expect(shown).toBeGreaterThan(40);
  });

  it('has an example of every request and of every answer except pages and files', () => {
    const lacking = OPERATIONS.flatMap(({ id, method, path, body, answers }) => {
      const { responses, requestBody } = document.paths[path]?.[method] as Shown;
      const request = requestBody?.content['application/json']?.example;
      const without = Object.entries(answers).filter(([status, { schema }]) => {
        const [media] = Object.values(responses[status]?.content ?? {});
        return schema !== null && media?.example === undefined;
      });
      return [
        ...(body && request === undefined ? [`${id}, its request`] : []),
        ...without.map(([status]) => `${id} ${status}`),
      ];
    });
    expect(lacking).toEqual([]);
  });

  it('requires a key with the scope of each operation, and says which need none', () => {
    const open = OPERATIONS.filter(({ path, method }) => document.paths[path]?.[method]?.security.length === 0);
    expect(open.map(({ path }) => path)).toEqual([
      '/console',
      '/console/{page}',
      '/console/{page}/{id}',
      '/console/assets/{file}',
      '/console/session',
      '/console/session',
      '/console/session',
      '/healthz',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/',
      '/docs',
      '/docs/{file}',
    ]);
    expect(document.paths['/v1/streaks']?.['get']).toMatchObject({
      security: [{ ApiKey: ['read'] }],
      description: expect.stringContaining('Scope: `read`.'),
    });
  });

  it('permits additional properties in every answer', () => {
    const closed = everySchema().filter(([, { additionalProperties }]) => additionalProperties === false);
    expect(closed.map(([at]) => at).filter((at) => !/(?:Request|Change|Changes)$/.test(at))).toEqual([]);
  });
});

interface Shown {
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly example?: unknown }> }>;
}
