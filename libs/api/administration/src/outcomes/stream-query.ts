import { ProblemError, invalidRequest, mistakenParameters, mustBeOneOf } from '@laurel/schemas';
import type { Query } from '@laurel/runtime';

export interface StreamRange<Type extends string = string> {
  /** null to begin with the oldest item. */
  readonly after: number | null;
  /** Infinity for no end. */
  readonly until: number;
  readonly limit: number;
  readonly types: readonly Type[] | undefined;
  readonly waitMs: number;
}

export interface StreamKind<Type extends string> {
  /** All types of the stream. */
  readonly types: readonly Type[];
  /** The name of the items in messages. */
  readonly of: string;
  /** The default limit. */
  readonly limit: number;
  /** The position of a cursor, or null if it is not a cursor. */
  readonly positionOf: (cursor: string) => number | null;
}

/** @throws ProblemError 422 that lists every wrong parameter */
export function readStreamQuery<Type extends string>(query: Query, kind: StreamKind<Type>): StreamRange<Type> {
  const { after, until, types, limit, wait } = query;
  const errors = mistakenParameters(['after', 'until', 'types', 'limit', 'wait'], query);
  const positionOf = (cursor: string | readonly string[]) =>
    (typeof cursor === 'string' ? kind.positionOf(cursor) : null) ?? NaN;
  const asked = {
    after: after === undefined ? null : positionOf(after),
    until: until === undefined ? Infinity : positionOf(until),
    limit: limit === undefined ? kind.limit : (wholeIn(limit, 1, 1_000) ?? NaN),
    wait: wait === undefined ? 0 : (wholeIn(wait, 0, 30) ?? NaN),
  };
  if (Number.isNaN(asked.after)) errors.push({ path: 'after', message: 'must be `Laurel-Cursor` of this route' });
  if (Number.isNaN(asked.until)) errors.push({ path: 'until', message: 'must be `Laurel-Head` of this route' });
  if (Number.isNaN(asked.limit)) errors.push({ path: 'limit', message: 'must be an integer from 1 to 1000' });
  if (Number.isNaN(asked.wait)) errors.push({ path: 'wait', message: 'must be a number of seconds from 0 to 30' });
  const named = types === undefined ? undefined : [types].flat().flatMap((text) => text.split(','));
  const isType = (text: string): text is Type => kind.types.some((type) => type === text);
  const unknown = named?.find((text) => !isType(text));
  if (unknown !== undefined) {
    const what = `types of ${kind.of}, with commas in between: ${kind.types.join(', ')}`;
    errors.push({ path: 'types', message: mustBeOneOf(kind.types, what).error({ input: unknown }) });
  }
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return {
    after: asked.after,
    until: asked.until,
    limit: asked.limit,
    waitMs: asked.wait * 1_000,
    types: named && [...new Set(named.filter(isType))],
  };
}

export function wholeIn(text: string | readonly string[], least: number, most: number): number | null {
  const value = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}
