import { streaksArea } from './streaks-area.ts';
import { StreakStory, configurationOf, definitionOf, instantOf } from './testing/streak-story.ts';

describe('the due date of a streak', () => {
  const dueUnder = ({ state }: StreakStory, configuration: ReturnType<typeof configurationOf>) =>
    streaksArea.dueAt?.(state, configuration);
  const due = (story: StreakStory) => dueUnder(story, configurationOf(story.definition));

  it('is the instant at which the streak expires', () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    expect(due(story)).toBe(instantOf('2024-03-03T00:00:00Z'));
  });

  it('is null without a streak, and once a sweep has ended the streak', () => {
    const story = new StreakStory();
    expect(due(story)).toBeNull();
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    expect(due(story)).toBeNull();
  });

  it('follows a change of zone that delays the expiry or revives the streak', () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    story.identified('2024-03-01T13:00:00Z', 'Pacific/Honolulu');
    expect(due(story)).toBe(instantOf('2024-03-03T10:00:00Z'));
    const revived = new StreakStory();
    revived.event('2024-03-01T12:00:00Z');
    revived.swept('2024-03-03T00:00:00Z');
    revived.identified('2024-03-03T01:00:00Z', 'Pacific/Honolulu');
    expect(due(revived)).toBe(instantOf('2024-03-03T10:00:00Z'));
  });

  it('is the next expiry after each freeze that is used', () => {
    const freezes = { initial: 1, max: 1, earnEvery: null, earn: null };
    const story = new StreakStory(definitionOf({ freezes }));
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    expect(due(story)).toBe(instantOf('2024-03-04T00:00:00Z'));
  });

  it('is immediate if a publication has ended the streak', () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    for (const definition of [null, definitionOf({ generation: 2 })]) {
      expect(dueUnder(story, configurationOf(definition))).toBe(-Infinity);
    }
  });
});
