import { USER_AREAS } from '@laurel/all-areas';
import { AREAS } from '@laurel/kernel';
import { serviceOf, stepsOf } from '@laurel/ports';
import { stepsToRun, type ChainBoards } from './chain-program.ts';
import { userStepDefinition } from './service-definition.ts';

const pointsAlone = USER_AREAS.filter(({ name }) => name === 'points');

const everything = { service: null, ofUsers: USER_AREAS, boards: {} as ChainBoards };
const pointsService = { service: 'points-service', ofUsers: pointsAlone, boards: null } as const;
const namesOf = (...parameters: Parameters<typeof stepsToRun>) => stepsToRun(...parameters).map(({ areas }) => areas);

describe('the steps that a program runs', () => {
  it('are those of its own service unless the environment names others', () => {
    expect(namesOf(pointsService, { service: null, steps: null })).toEqual([['points']]);
    expect(namesOf(pointsService, { service: 'points-service', steps: null })).toEqual([['points']]);
    expect(namesOf(everything, { service: 'streak-service', steps: null })).toEqual([['users', 'streaks']]);
    expect(namesOf(everything, { service: null, steps: AREAS }).flat()).toEqual(AREAS);
  });

  it('must be named by the program or by the environment', () => {
    expect(() => stepsToRun(everything, { service: null, steps: null })).toThrow('LAUREL_SERVICE or LAUREL_STEPS');
  });

  it('are refused when the program lacks their areas, and the error names these in chain order', () => {
    expect(() => stepsToRun(pointsService, { service: null, steps: AREAS })).toThrow(
      `LAUREL_STEPS: points-service does not have ${AREAS.filter((area) => area !== 'points').join(', ')}; apps/area-service`,
    );
    expect(() => stepsToRun(pointsService, { service: 'achievement-service', steps: null })).toThrow(
      'LAUREL_SERVICE: points-service does not have achievements',
    );
  });
});

describe('a step of a program', () => {
  const OF_ACHIEVEMENTS = serviceOf('achievements').areas;
  const [step] = stepsOf([...OF_ACHIEVEMENTS, 'points']);

  it('has only its own areas', () => {
    const { schemas } = userStepDefinition(step!, USER_AREAS);
    expect(schemas.map(({ name, areas }) => [name, areas.map((area) => area.name)])).toEqual([
      ['laurel_achievement', OF_ACHIEVEMENTS],
      ['laurel_points', ['points']],
    ]);
  });

  it('is refused when the program lacks one of its areas', () => {
    expect(() => userStepDefinition(step!, pointsAlone)).toThrow('this program has no area achievements');
  });
});
