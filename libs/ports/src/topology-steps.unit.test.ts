import { AREAS } from '@laurel/kernel';
import { CHAIN_SERVICES, serviceOf, stepsOf, stepText, TOPICS } from './topology.ts';

describe('the steps of a process', () => {
  it('have the name, input and output of their service if they are no more than that', () => {
    for (const { name, areas, input, output } of CHAIN_SERVICES)
      expect(stepsOf(areas)).toMatchObject([{ name, areas, input, output }]);
  });

  it('are one for adjacent areas of a user, from the input of the first to the output of the last', () => {
    const [first, last] = [serviceOf('achievements'), serviceOf('points')];
    const areas = [...first.areas, ...last.areas];
    expect(stepsOf(areas)).toMatchObject([
      { name: `${areas[0]}-to-${areas.at(-1)}`, input: TOPICS.streaks, output: TOPICS.points },
    ]);
  });

  it('keep leaderboards apart, whose partitions are others', () => {
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
  ])('are not %j', (areas, reason) => {
    expect(() => stepsOf(areas)).toThrow(reason);
  });
});
