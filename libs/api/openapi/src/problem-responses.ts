import { PROBLEMS, problem, type ProblemCode, problemStatus } from '@laurel/schemas';
import type { ComponentSchemas } from './component-schemas.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** Errors that any request may get. */
const OF_HTTP: readonly ProblemCode[] = [
  'unknown_path',
  'method_not_allowed',
  'malformed_request',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
];
const OF_HTTP_NAME = 'RefusedByHttp';

interface Reference {
  readonly $ref: string;
}

const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
const RATE_LIMIT = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
};

/** The headers that come with some errors. */
export const HEADERS = {
  'Retry-After': {
    description: 'Seconds after which the request is worth sending again.',
    required: true,
    schema: { type: 'integer', format: 'int64', minimum: 0 },
    example: 1,
  },
  RateLimit: {
    description: 'What is left: `r` requests, and `t` seconds until the whole limit is there again.',
    required: true,
    schema: { type: 'string' },
    example: '"default";r=0;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds.',
    required: true,
    schema: { type: 'string' },
    example: '"default";q=60;w=60',
  },
} as const;

/** The responses for errors: one component for each set of codes that an operation may return with the same status. */
export class ProblemResponses {
  readonly #schemas: ComponentSchemas;
  readonly #responses = new Map<string, object>();
  readonly #codes = new Set<ProblemCode>();

  constructor(schemas: ComponentSchemas) {
    this.#schemas = schemas;
  }

  /** A reference to the response for these codes, which share one status. */
  add(codes: readonly ProblemCode[]): Reference {
    return this.#define(codes.map(pascalCase).join('Or'), codes);
  }

  /** A reference to the response for all other statuses. */
  ofHttp(): Reference {
    return this.#define(OF_HTTP_NAME, OF_HTTP);
  }

  responses(): Record<string, object> {
    return Object.fromEntries(this.#responses);
  }

  /** An example of each code. */
  examples(): Record<string, object> {
    return Object.fromEntries(
      [...this.#codes].map((code) => [code, { summary: PROBLEMS[code].example.title, value: PROBLEMS[code].example }]),
    );
  }

  #define(name: string, codes: readonly ProblemCode[]): Reference {
    this.#responses.set(name, this.#response(codes));
    for (const code of codes) this.#codes.add(code);
    return { $ref: `#/components/responses/${name}` };
  }

  #response(codes: readonly ProblemCode[]): object {
    const [first] = codes;
    const headers = first === undefined ? {} : headersAt(problemStatus(first));
    const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
    const content = { schema: this.#schemas.add(problem, 'output'), examples: Object.fromEntries(examples) };
    return { description: descriptionOf(codes), ...headers, content: { [PROBLEM_TYPE]: content } };
  }
}

function headersAt(status: number): object {
  if (status === 429) return { headers: { ...RETRY_AFTER, ...RATE_LIMIT } };
  return status === 503 ? { headers: RETRY_AFTER } : {};
}

function descriptionOf(codes: readonly ProblemCode[]): string {
  const sentences = codes.map((code) => `\`${code}\`: ${PROBLEMS[code].when}`);
  return sentences.length === 1 ? sentences.join('') : sentences.map((sentence) => `- ${sentence}`).join('\n');
}

const pascalCase = (code: string): string =>
  code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
