import type { z } from 'zod';
import type { Scope } from '../scopes.ts';
import { problemStatus, type ProblemCode } from '../problem.ts';
import type { Parameter } from './parameters.ts';
import type { Tag } from './tags.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What a request carries in its body, as JSON. */
export interface RequestBody {
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** False: it may be left out. */
  readonly required?: false;
  /** Other media types that it may have instead, with what describes one line, or item, of them. */
  readonly alternatives?: Readonly<Record<string, Pick<RequestBody, 'schema' | 'example'>>>;
}

/** One way in which an operation is answered if nothing is wrong (and `/readyz` if something is). */
export interface Answer {
  readonly description: string;
  /** null: no JSON; `type` says what it is then. */
  readonly schema: z.ZodType | null;
  readonly example?: unknown;
  /** The media type; without it `application/json`. */
  readonly type?: string;
  /** What answers a body of another media type, by the type of the answer. */
  readonly alternatives?: Readonly<Record<string, { readonly schema: z.ZodType; readonly example?: unknown }>>;
}

/** One method at one path: all that the document, the checks of answers and the generated client know of it. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** With parameters in braces: `/v1/users/{id}`. */
  readonly path: string;
  /** The scope that a key needs, or several, each of which suffices; null: served without a key. */
  readonly scope: Scope | readonly Scope[] | null;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: RequestBody;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** The errors of its own, beside those that follow from its scope, method and body. */
  readonly problems?: readonly ProblemCode[];
}

/** An operation in a table of operations with one tag. */
export type Described = Omit<Operation, 'id' | 'tag'>;

/** The operations of a table; each has the name of its entry as its id. */
export function operationsOf<Id extends string>(
  tag: Tag,
  table: Readonly<Record<Id, Described>>,
): Readonly<Record<Id, Operation>> {
  const entries = Object.entries<Described>(table).map(([id, operation]) => [id, { id, tag, ...operation }]);
  return Object.fromEntries(entries) as Record<Id, Operation>;
}

/** The scopes of which a key needs one; null: served without a key. */
export const scopesOf = ({ scope }: Pick<Operation, 'scope'>): readonly Scope[] | null =>
  scope === null ? null : [scope].flat();

/** What a request can be refused with that records something. */
export const RECORDING_PROBLEMS: readonly ProblemCode[] = ['overloaded', 'outcome_unknown', 'state_damaged'];

const BODY_PROBLEMS: readonly ProblemCode[] = ['malformed_body', 'unsupported_media_type', 'body_too_large'];

/** Every error that an operation can be answered with, by status, in the order in which they are looked for. */
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
