import type { Configuration } from '@laurel/kernel';
import { outcome } from './effects.fixture.ts';
import { sectionsOf } from './gathered.ts';

const configurationWith = (...boards: readonly string[]) =>
  ({ leaderboards: boards.map((key) => ({ key })) }) as unknown as Configuration;

describe('sectionsOf', () => {
  it('sorts the boards by the configuration, whatever the order of arrival', () => {
    const boards = ['c', '__proto__', 'a'].map(outcome);
    const sections = { achievements: { completed: [] }, leaderboards: { boards } };
    const inOrder = sectionsOf({ sections }, configurationWith('a', 'b', '__proto__', 'c'));
    expect(inOrder.leaderboards?.boards.map(({ key }) => key)).toEqual(['a', '__proto__', 'c']);
    expect(inOrder.achievements).toBe(sections.achievements);
    expect(boards.map(({ key }) => key)).toEqual(['c', '__proto__', 'a']);
  });

  it('returns the sections unchanged while the leaderboards are pending', () => {
    const sections = { achievements: { completed: [] } };
    expect(sectionsOf({ sections }, configurationWith('a'))).toBe(sections);
  });
});
