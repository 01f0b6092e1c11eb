import { USER_AREA_NAMES } from '@laurel/engine';
import { USER_AREAS } from './user-areas.ts';

describe('the areas whose state belongs to a user', () => {
  it('are the areas with a column of states, in the order of the chain', () => {
    expect(USER_AREAS.map(({ name }) => name)).toEqual(USER_AREA_NAMES);
  });
});
