import { USER_AREA_NAMES } from '@laurel/engine';
import { USER_AREAS } from './user-areas.ts';

describe('USER_AREAS', () => {
  it('lists the areas with user states in the order in which they are applied', () => {
    expect(USER_AREAS.map(({ name }) => name)).toEqual(USER_AREA_NAMES);
  });
});
