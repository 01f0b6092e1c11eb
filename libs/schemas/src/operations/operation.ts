import type { z } from 'zod';
import type { Scope } from '../scopes.ts';
import { problemStatus, type ProblemCode } from '../problem.ts';
import type { Parameter } from './parameters.ts';
import type { Tag } from './tags.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The JSON body of a request. */
export interface RequestBody {
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Set to false if the body is optional. */
  readonly required?: false;
  /** Other accepted media types, each with the description of one line or item. */
  readonly alternatives?: Readonly<Record<string, Pick<RequestBody, 'schema' | 'example'>>>;
}

/** An answer that is no error, except for `/readyz`. */
export interface Answer {
  readonly description: string;
  /** null if the answer is not JSON; `type` is then its media type. */
  readonly schema: z.ZodType | null;
  readonly example?: unknown;
  /** The media type; default: `application/json`. */
  readonly type?: string;
  /** Answers to a body of another media type, by the type of the answer. */
  readonly alternatives?: Readonly<Record<string, { readonly schema: z.ZodType; readonly example?: unknown }>>;
}

/** One method at one path. The API document, the checks of answers and the generated client are built from it. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** The path, with parameters in braces: `/v1/users/{id}`. */
  readonly path: string;
  /** The scope that a key needs, or several, any of which is enough; null if no key is needed. */
  readonly scope: Scope | readonly Scope[] | null;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: RequestBody;
  /** The answers by status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** The operation's own errors, in addition to those that follow from its scope, method and body. */
  readonly problems?: readonly ProblemCode[];
}

/** An operation in a table of operations with one tag. */
export type Described = Omit<Operation, 'id' | 'tag'>;

/** The operations of a table; each has the name of its entry as its id, and its path as a literal type. */
export function operationsOf<const Paths extends Readonly<Record<string, string>>>(
  tag: Tag,
  table: { readonly [Id in keyof Paths]: Described & { readonly path: Paths[Id] } },
): { readonly [Id in keyof Paths]: Operation & { readonly path: Paths[Id] } } {
  const entries = Object.entries<Described>(table).map(([id, operation]) => [id, { id, tag, ...operation }]);
  return Object.fromEntries(entries) as { readonly [Id in keyof Paths]: Operation & { readonly path: Paths[Id] } };
}

/** A key needs one of these scopes; null if no key is needed. */
export const scopesOf = ({ scope }: Pick<Operation, 'scope'>): readonly Scope[] | null =>
  scope === null ? null : [scope].flat();

/** The errors of requests that record something. */
export const RECORDING_PROBLEMS: readonly ProblemCode[] = ['overloaded', 'outcome_unknown', 'state_damaged'];

const BODY_PROBLEMS: readonly ProblemCode[] = ['malformed_body', 'unsupported_media_type', 'body_too_large'];

/** The errors of an operation by status, in the order in which they are checked. */
export function problemsOf(operation: Operation): ReadonlyMap<number, readonly ProblemCode[]> {
  const { scope, method, body, problems = [] } = operation;
  const codes: ProblemCode[] = [
    ...(scope === null ? [] : (['unauthorized', 'forbidden', 'rate_limited'] as const)),
    ...(method === 'get' ? [] : BODY_PROBLEMS),
    ...problems,
    ...(method === 'get' && scope !== null && !problems.includes('overloaded') ? (['overloaded'] as const) : []),
    ...(body === undefined || problems.includes('invalid_request') ? [] : (['invalid_request'] as const)),
    ...(scope === null ? [] : (['unavailable', 'starting', 'internal'] as const)),
  ];
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const status = problemStatus(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
