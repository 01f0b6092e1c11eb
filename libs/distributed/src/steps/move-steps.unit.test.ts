import { AREAS, CHAIN_SERVICES, stepsOf, stepText } from '@laurel/contracts';
import { formWith } from './move-steps.ts';

const DIVIDED = CHAIN_SERVICES.flatMap(({ areas }) => stepsOf(areas));
const FUSED = stepsOf(AREAS);
const [BOARDS] = stepsOf(['leaderboards']);
const AFTER_STREAKS = [...stepsOf(['users', 'streaks']), ...stepsOf(['achievements', 'points', 'leaderboards'])];
const BEFORE_POINTS = [...stepsOf(['users', 'streaks', 'achievements']), ...stepsOf(['points']), BOARDS].flatMap(
  (step) => step ?? [],
);

describe('the form after a move', () => {
  it.each([
    ['joins what it names', DIVIDED, ['achievements', 'points'], AFTER_STREAKS],
    ['leaves what is before and behind it', FUSED, ['achievements'], DIVIDED],
    ['leaves what is behind it', FUSED, ['users', 'streaks'], AFTER_STREAKS],
    ['is the same if it is so already', BEFORE_POINTS, ['points'], BEFORE_POINTS],
    ['divides one step to join another', AFTER_STREAKS, ['users', 'streaks', 'achievements'], BEFORE_POINTS],
  ] as const)('%s', (_what, before, areas, after) => {
    expect(formWith(before, stepsOf(areas)).map(stepText)).toEqual(after.map(stepText));
  });
});
