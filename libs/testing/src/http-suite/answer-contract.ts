import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from './client.ts';

// The document is read like by any client: as JSON, without our types.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

const PROBLEM_TYPE = 'application/problem+json';

/** The parts of an answer that its schema describes: each line of an answer in lines. */
function bodiesOf(type: string, { text, json }: Answer): readonly unknown[] {
  if (type === 'text/csv') return [text];
  if (type !== 'application/x-ndjson') return [json];
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
}

/** An operation of the document, with its path split into segments. */
interface DocumentedOperation {
  readonly method: string;
  readonly segments: readonly string[];
  /** Responses by status. */
  readonly responses: Json;
}

/**
 * The OpenAPI document of a server, for checking its answers. Stricter than the document: an undescribed field is
 * refused, although clients must expect new ones.
 */
export class AnswerContract {
  readonly #document: Json;
  readonly #operations: readonly DocumentedOperation[];
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<Json, ValidateFunction>();

  constructor(document: Json) {
    this.#document = strict(document);
    this.#operations = operationsOf(this.#document);
    this.#ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
    formats.default(this.#ajv);
    for (const [name, schema] of Object.entries<Json>(this.#document.components.schemas))
      this.#ajv.addSchema(schema, name);
  }

  /** How an answer differs from its description; empty if it does not. `path` may have a query. */
  differences(method: string, path: string, answer: Answer): readonly string[] {
    const operation = this.#find(method === 'HEAD' ? 'get' : method.toLowerCase(), path);
    const found = this.#isRefusedByHttp(answer) ? [] : this.#found(operation?.responses[answer.status], answer, method);
    return found.map((difference) => `${method} ${path}, answered ${answer.status}: ${difference}`);
  }

  #found(described: Json, answer: Answer, method: string): string[] {
    if (described === undefined) return ['this is not described'];
    return this.#answerProblems(this.#resolved(described), answer, method);
  }

  /** Whether HTTP itself may give the answer, with or without an operation at the path. */
  #isRefusedByHttp(answer: Answer): boolean {
    return this.#answerProblems(this.#document.components.responses.RefusedByHttp, answer, 'GET').length === 0;
  }

  #answerProblems(response: Json, answer: Answer, sent: string): string[] {
    const problems = this.#missingHeaders(response, answer);
    if (sent === 'HEAD' || response.content === undefined)
      return answer.text === '' ? problems : [...problems, 'there is a body'];
    const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
    const media = response.content[type] ?? response.content['*/*'];
    if (media === undefined) return [...problems, `the type ${type} is not described`];
    if (type === PROBLEM_TYPE) problems.push(...codeProblems(media, answer));
    const bodies = media.schema === undefined ? [] : bodiesOf(type, answer);
    return [...problems, ...bodies.flatMap((body) => this.#bodyProblems(media.schema, body))];
  }

  #missingHeaders({ headers = {} }: Json, answer: Answer): string[] {
    return Object.entries<Json>(headers)
      .filter(([name, header]) => this.#resolved(header).required && !answer.headers.has(name))
      .map(([name]) => `the header ${name} is missing`);
  }

  #bodyProblems(schema: Json, body: unknown): string[] {
    const validate = this.#validators.get(schema) ?? this.#ajv.compile(schema);
    this.#validators.set(schema, validate);
    return validate(body) ? [] : (validate.errors ?? []).map(sentence);
  }

  /** The target of a reference. */
  #resolved(value: Json): Json {
    if (value.$ref === undefined) return value;
    const parts: string[] = value.$ref.slice('#/'.length).split('/');
    return parts.reduce((inner, part) => inner[part], this.#document);
  }

  /** The operation at a path. If several match, the one with the most fixed segments. */
  #find(method: string, path: string): DocumentedOperation | null {
    const segments = (path.split(/[?#]/, 1)[0] ?? '').split('/');
    const matching = this.#operations.filter((one) => one.method === method && matches(one.segments, segments));
    return matching.sort((one, other) => parameters(one) - parameters(other))[0] ?? null;
  }
}

function operationsOf({ paths }: Json): DocumentedOperation[] {
  return Object.entries<Json>(paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations).map(([method, { responses }]) => ({
      method,
      segments: path.split('/'),
      responses,
    })),
  );
}

const isParameter = (segment: string): boolean => segment.startsWith('{');
const parameters = ({ segments }: DocumentedOperation): number => segments.filter(isParameter).length;

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  );
}

/** The possible codes of a response are the names of its examples. */
function codeProblems({ examples }: Json, { json, status }: Answer): string[] {
  const codes = examples === undefined ? null : Object.keys(examples);
  return [
    ...(json?.status === status ? [] : [`the body says status ${json?.status}`]),
    ...(codes === null || codes.includes(json?.code) ? [] : [`the code ${json?.code} is not described`]),
  ];
}

const SCHEMAS = '#/components/schemas/';

/**
 * The pattern of an instant in UTC. It is not in the document, because client generators cannot handle it together with
 * the format.
 */
const IN_UTC = { pattern: 'Z$' };

/**
 * The document with all objects closed to undescribed fields, and all instants in UTC. References to schemas use their
 * names only.
 */
function strict(value: Json): Json {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value === 'string') return value.startsWith(SCHEMAS) ? value.slice(SCHEMAS.length) : value;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strict(inner)]));
  if (value.format === 'date-time') return { ...copy, ...IN_UTC };
  const isObject = value.type === 'object' && typeof value.properties === 'object';
  return isObject && value.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy;
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath === '' ? 'the body' : instancePath} ${message} ${JSON.stringify(params)}`;
}
