import type { Problem, ProblemError } from '@laurel/schemas';
import { readOutcomesQuery } from './outcomes-query.ts';
import type { Query } from '@laurel/runtime';

function refused(query: Query): Problem['errors'] {
  try {
    readOutcomesQuery(query);
  } catch (error) {
    return (error as ProblemError).problem.errors;
  }
  return [];
}

describe('the query of a stream', () => {
  it('accepts types that are repeated or separated by commas', () => {
    expect(readOutcomesQuery({ types: ['streak.lost,user.created', 'streak.lost'] }).types).toEqual([
      'streak.lost',
      'user.created',
    ]);
  });

  it('suggests the type nearest to a misspelled one', () => {
    const [{ path, message } = { path: '', message: '' }] = refused({ types: 'user.created,streak.lots' }) ?? [];
    expect(path).toBe('types');
    expect(message).toMatch(/^must be types of outcomes, .*, endpoint\.disabled \(did you mean 'streak\.lost'\?\)$/);
  });

  it('is refused for empty types', () => {
    expect(refused({ types: '' })).toMatchObject([{ path: 'types' }]);
  });
});
