import { streaksArea } from './streaks-area.ts';
import { StreakStory, configurationOf, definitionOf, instantOf, withStreakBoard } from './testing/streak-story.ts';

describe('the instant at which a streak falls due', () => {
  const dueUnder = ({ state }: StreakStory, configuration: ReturnType<typeof configurationOf>) =>
    streaksArea.dueAt?.(state, configuration);
  const due = (story: StreakStory) => dueUnder(story, withStreakBoard(configurationOf(story.definition)));

  it('is E of the streak', () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    expect(due(story)).toBe(instantOf('2024-03-03T00:00:00Z'));
  });

  it('is null without a streak, and once its end was announced', () => {
    const story = new StreakStory();
    expect(due(story)).toBeNull();
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    expect(due(story)).toBeNull();
  });

  it('is null while nobody else sees the end: neither a board nor a freeze', () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    expect(dueUnder(story, configurationOf(story.definition))).toBeNull();
    expect(dueUnder(story, configurationOf(null))).toBeNull();
  });

  it('is the next E as long as freezes are used', () => {
    const freezes = { initial: 1, max: 1, earnEvery: null, earn: null };
    const story = new StreakStory(definitionOf({ freezes }));
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    expect(due(story)).toBe(instantOf('2024-03-04T00:00:00Z'));
    expect(dueUnder(story, configurationOf(story.definition))).toBe(instantOf('2024-03-04T00:00:00Z'));
  });

  it('is at once if a publication has put an end to the streak', () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    for (const definition of [null, definitionOf({ generation: 2 })]) {
      expect(dueUnder(story, withStreakBoard(configurationOf(definition)))).toBe(-Infinity);
    }
  });
});
