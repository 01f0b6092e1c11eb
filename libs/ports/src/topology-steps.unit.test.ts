import { AREAS } from '@laurel/kernel';
import { CHAIN_SERVICES, serviceOf, stepsOf, stepText, TOPICS } from './topology.ts';

describe('stepsOf', () => {
  it("returns a service's name, input and output for exactly its areas", () => {
    for (const { name, areas, input, output } of CHAIN_SERVICES)
      expect(stepsOf(areas)).toMatchObject([{ name, areas, input, output }]);
  });

  it('joins adjacent user areas into one step, from the first input to the last output', () => {
    const [first, last] = [serviceOf('achievements'), serviceOf('points')];
    const areas = [...first.areas, ...last.areas];
    expect(stepsOf(areas)).toMatchObject([
      { name: `${areas[0]}-to-${areas.at(-1)}`, input: TOPICS.streaks, output: TOPICS.points },
    ]);
  });

  it('separates leaderboards, which have other partitions', () => {
    expect(stepsOf(AREAS).map(stepText)).toEqual([AREAS.slice(0, -1).join(','), 'leaderboards']);
  });

  it.each([
    [['points', 'achievements'], 'follow each other'],
    [['users', 'streaks', 'points'], 'follow each other'],
    [['points', 'points'], 'follow each other'],
    [['nothing'], 'follow each other'],
    [[], 'follow each other'],
    [['users'], 'all or none of users,streaks'],
    [['streaks', 'achievements'], 'all or none of users,streaks'],
  ])('refuses %j', (areas, reason) => {
    expect(() => stepsOf(areas)).toThrow(reason);
  });
});
