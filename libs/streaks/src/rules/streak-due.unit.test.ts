import { StreakStory, definitionOf, instantOf } from '../testing/streak-story.ts';
import { streakDueAt } from './streak-due.ts';

describe('streakDueAt', () => {
  const due = ({ state, definition }: StreakStory) => streakDueAt(state, definition);

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

  it('is the next E as long as freezes are used', () => {
    const freezes = { initial: 1, max: 1, earnEvery: null, earn: null };
    const story = new StreakStory(definitionOf({ freezes }));
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    expect(due(story)).toBe(instantOf('2024-03-04T00:00:00Z'));
  });

  it('is at once if a publication has put an end to the streak', () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    for (const definition of [null, definitionOf({ generation: 2 })]) {
      expect(streakDueAt(story.state, definition)).toBe(-Infinity);
    }
  });
});
