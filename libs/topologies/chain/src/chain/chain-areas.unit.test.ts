import { USER_AREAS } from '@laurel/all-areas';
import { AREAS } from '@laurel/kernel';
import { stepsOf } from '@laurel/ports';
import { missingAreas, type ChainBoards } from './chain-areas.ts';
import { userStepDefinition } from './service-definition.ts';

const pointsAlone = USER_AREAS.filter(({ name }) => name === 'points');

describe('the areas of a program', () => {
  it('are enough for the steps whose areas they are', () => {
    expect(missingAreas(stepsOf(AREAS), { ofUsers: USER_AREAS, boards: {} as ChainBoards })).toEqual([]);
    expect(missingAreas(stepsOf(['points']), { ofUsers: pointsAlone, boards: null })).toEqual([]);
  });

  it('are not enough for others, which are named in the order of the chain', () => {
    expect(missingAreas(stepsOf(AREAS), { ofUsers: pointsAlone, boards: null })).toEqual([
      'users',
      'streaks',
      'achievements',
      'leaderboards',
    ]);
  });
});

describe('a step of a program', () => {
  const [step] = stepsOf(['achievements', 'points']);

  it('has no areas but its own', () => {
    const { schemas } = userStepDefinition(step!, USER_AREAS);
    expect(schemas.map(({ name, areas }) => [name, areas.map((area) => area.name)])).toEqual([
      ['laurel_achievement', ['achievements']],
      ['laurel_points', ['points']],
    ]);
  });

  it('is refused without one of them', () => {
    expect(() => userStepDefinition(step!, pointsAlone)).toThrow('this program has no area achievements');
  });
});
