import { AREAS } from '@laurel/kernel';
import { CHAIN_SERVICES, serviceOf, stepsOf, stepText } from '@laurel/ports';
import { formWith } from './move-steps.ts';

const DIVIDED = CHAIN_SERVICES.flatMap(({ areas }) => stepsOf(areas));
const FUSED = stepsOf(AREAS);
const { areas: streaks } = serviceOf('streaks');
const { areas: achievements } = serviceOf('achievements');
const { areas: points } = serviceOf('points');
const { areas: boards } = serviceOf('leaderboards');
const AFTER_STREAKS = [...stepsOf(streaks), ...stepsOf([...achievements, ...points, ...boards])];
const BEFORE_POINTS = [...stepsOf([...streaks, ...achievements]), ...stepsOf(points), ...stepsOf(boards)];

describe('the division of steps after a move', () => {
  it.each([
    ['joins the named areas', DIVIDED, [...achievements, ...points], AFTER_STREAKS],
    ['keeps the steps before and after them', FUSED, achievements, DIVIDED],
    ['keeps the steps after them', FUSED, streaks, AFTER_STREAKS],
    ['stays the same when it is so already', BEFORE_POINTS, points, BEFORE_POINTS],
    ['divides one step to join another', AFTER_STREAKS, [...streaks, ...achievements], BEFORE_POINTS],
  ] as const)('%s', (_what, before, areas, after) => {
    expect(formWith(before, stepsOf(areas)).map(stepText)).toEqual(after.map(stepText));
  });
});
