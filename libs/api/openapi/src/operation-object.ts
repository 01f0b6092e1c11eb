import { type Answer, type Operation, type Parameter, problemsOf, type Scope, scopesOf } from '@laurel/schemas';
import answerExamples from './answer-examples.json' with { type: 'json' };
import type { ComponentSchemas } from './component-schemas.ts';
import type { JsonSchema } from './json-schema.ts';
import type { ProblemResponses } from './problem-responses.ts';

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

export const API_KEY_SCHEME = 'ApiKey';

/** An operation in the words of OpenAPI. Adds its schemas and problems to the components. */
export function operationObject(
  operation: Operation,
  schemas: ComponentSchemas,
  problems: ProblemResponses,
): OperationObject {
  const { id, tag, summary, description, parameters = [], body } = operation;
  const scopes = scopesOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [...(description === undefined ? [] : [description]), scopeSentence(scopes)].join('\n\n'),
    security: (scopes ?? []).map((scope) => ({ [API_KEY_SCHEME]: [scope] })),
    ...(parameters.length > 0 && { parameters: parameters.map((parameter) => parameterObject(parameter, schemas)) }),
    ...(body && { requestBody: { required: body.required ?? true, content: contentOf(body, schemas) } }),
    responses: responsesOf(operation, schemas, problems),
  };
}

const scopeSentence = (scopes: readonly Scope[] | null): string =>
  scopes === null ? 'Served without a key.' : `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;

function contentOf(
  { schema, example, alternatives = {} }: NonNullable<Operation['body']>,
  schemas: ComponentSchemas,
): object {
  const described = Object.entries({ 'application/json': { schema, example }, ...alternatives });
  return Object.fromEntries(
    described.map(([type, { schema, example }]) => [type, { schema: schemas.add(schema, 'input'), example }]),
  );
}

function responsesOf(operation: Operation, schemas: ComponentSchemas, problems: ProblemResponses) {
  const refusals = [...problemsOf(operation)].map(([status, codes]) => [String(status), problems.add(codes)] as const);
  const answers = Object.entries(operation.answers).map(
    ([status, answer]) => [status, response(withExample(answer, operation.id, status), schemas)] as const,
  );
  return Object.fromEntries([...refusals, ...answers, ['default', problems.ofHttp()]]);
}

/** Answers to the example requests, by operation and status. A test of apps/standalone writes them. */
const ANSWER_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = answerExamples;

function withExample(answer: Answer, id: string, status: string): Answer {
  const example = answer.example ?? ANSWER_EXAMPLES[id]?.[status];
  return example === undefined ? answer : { ...answer, example };
}

function response(answer: Answer, schemas: ComponentSchemas) {
  const { description, schema, example, type = 'application/json', alternatives = {} } = answer;
  if (schema === null) return { description, ...(type !== 'application/json' && { content: { [type]: {} } }) };
  const described = Object.entries({ [type]: { schema, example }, ...alternatives });
  const media = described.map(([type, { schema, example }]) => [
    type,
    { schema: schemas.add(schema, 'output'), ...(example !== undefined && { example }) },
  ]);
  return { description, content: Object.fromEntries(media) };
}

function parameterObject({ name, in: place, required, schema }: Parameter, schemas: ComponentSchemas): object {
  const { description, examples, ...written }: JsonSchema = schemas.add(schema, 'input');
  return { name, in: place, required, description, schema: written, ...(examples && { example: examples[0] }) };
}
