import { OUTCOME_TYPES, type OutcomeType } from '@laurel/kernel';
import type { Query } from '@laurel/runtime';
import { readStreamQuery, wholeIn, type StreamRange } from './stream-query.ts';

/** @throws ProblemError 422 that lists every wrong parameter */
export const readOutcomesQuery = (query: Query): StreamRange<OutcomeType> =>
  readStreamQuery(query, {
    types: OUTCOME_TYPES,
    of: 'outcomes',
    limit: 100,
    positionOf: (cursor) => wholeIn(cursor, 0, Number.MAX_SAFE_INTEGER),
  });
