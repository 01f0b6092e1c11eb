import { AREAS } from './area-names.ts';
import { stepsOf, stepText } from './topology.ts';
import { CHAIN_SERVICES, TOPICS } from './topology.ts';

describe('the steps of a process', () => {
  it('have the name, input and output of their service if they are no more than that', () => {
    for (const { name, areas, input, output } of CHAIN_SERVICES)
      expect(stepsOf(areas)).toMatchObject([{ name, areas, input, output }]);
  });

  it('are one for adjacent areas of a user, from the input of the first to the output of the last', () => {
    expect(stepsOf(['achievements', 'points'])).toMatchObject([
      { name: 'achievements-to-points', input: TOPICS.streaks, output: TOPICS.points },
    ]);
  });

  it('keep leaderboards apart, whose partitions are others', () => {
    expect(stepsOf(AREAS).map(stepText)).toEqual(['users,streaks,achievements,points', 'leaderboards']);
  });

  it.each([
    [['points', 'achievements'], 'follow each other'],
    [['users', 'streaks', 'points'], 'follow each other'],
    [['points', 'points'], 'follow each other'],
    [['badges'], 'follow each other'],
    [[], 'follow each other'],
    [['users'], 'all or none of users,streaks'],
    [['streaks', 'achievements'], 'all or none of users,streaks'],
  ])('are not %j', (areas, reason) => {
    expect(() => stepsOf(areas)).toThrow(reason);
  });
});
