import { OUTCOME_TYPES, ProblemError, invalidRequest, type ProblemItem } from '@laurel/contracts';

/** The query as the router parsed it: a repeated parameter is an array. */
export type OutcomesQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface OutcomesRange {
  /** null: from the oldest on. */
  readonly after: number | null;
  readonly limit: number;
  readonly types: readonly string[] | undefined;
  readonly waitMs: number;
}

const TYPES: ReadonlySet<string> = new Set(OUTCOME_TYPES);

/** @throws ProblemError 422 with every parameter that is wrong */
export function readOutcomesQuery({ after, types, limit, wait }: OutcomesQuery): OutcomesRange {
  const errors: ProblemItem[] = [];
  const asked = {
    after: after === undefined ? null : (wholeIn(after, 0, Number.MAX_SAFE_INTEGER) ?? NaN),
    limit: limit === undefined ? 100 : (wholeIn(limit, 1, 1_000) ?? NaN),
    wait: wait === undefined ? 0 : (wholeIn(wait, 0, 30) ?? NaN),
  };
  if (Number.isNaN(asked.after)) errors.push({ path: 'after', message: 'must be `Laurel-Cursor` of this route' });
  if (Number.isNaN(asked.limit)) errors.push({ path: 'limit', message: 'must be an integer from 1 to 1000' });
  if (Number.isNaN(asked.wait)) errors.push({ path: 'wait', message: 'must be a number of seconds from 0 to 30' });
  const named = types === undefined ? undefined : [types].flat().flatMap((text) => text.split(','));
  const unknown = named?.find((type) => !TYPES.has(type));
  if (unknown !== undefined)
    errors.push({
      path: 'types',
      message: `must be types of outcomes, with commas in between: ${OUTCOME_TYPES.join(', ')}`,
    });
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { after: asked.after, limit: asked.limit, types: named && [...new Set(named)], waitMs: asked.wait * 1_000 };
}

function wholeIn(text: string | readonly string[], least: number, most: number): number | null {
  const value = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}
