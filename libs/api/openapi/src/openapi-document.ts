import { createRequire } from 'node:module';
import { OPERATIONS, OUTCOME_BODIES, TAGS } from '@laurel/schemas';
import { ComponentSchemas } from './component-schemas.ts';
import { INTRODUCTION } from './introduction.ts';
import type { JsonSchema } from './json-schema.ts';
import { API_KEY_SCHEME, type OperationObject, operationObject } from './operation-object.ts';
import { HEADERS, ProblemResponses } from './problem-responses.ts';

/** The parts of an OpenAPI document that other files use. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  /** Notifications by type, see `OUTCOME_BODIES`. */
  readonly webhooks: Readonly<Record<string, object>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly [kind: string]: Readonly<Record<string, object>>;
  };
}

/** The release of this code. */
export const { version: RELEASE } = createRequire(import.meta.url)('@laurel/openapi/package.json') as {
  readonly version: string;
};

/** Describes every route in OpenAPI 3.1, from the schemas that read requests and type answers. */
export function openApiDocument(): OpenApiDocument {
  const schemas = new ComponentSchemas();
  const problems = new ProblemResponses(schemas);
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of OPERATIONS)
    (paths[operation.path] ??= {})[operation.method] = operationObject(operation, schemas, problems);
  const webhooks = Object.fromEntries(
    Object.entries(OUTCOME_BODIES).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `on_${type.replaceAll('.', '_')}`,
          security: [],
          summary: schema.description,
          requestBody: { required: true, content: { 'application/json': { schema: schemas.add(schema, 'output') } } },
          responses: { 204: { description: 'It was taken.' } },
        },
      },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Laurel',
      version: RELEASE,
      summary: 'Self-hosted, event-sourced gamification.',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this description comes from.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: schemas.all(),
      responses: problems.responses(),
      examples: problems.examples(),
      headers: HEADERS,
      securitySchemes: {
        [API_KEY_SCHEME]: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-KEY',
          description: 'A key with the scope that the operation names. `laurel keys create` makes one.',
        },
      },
    },
  };
}
