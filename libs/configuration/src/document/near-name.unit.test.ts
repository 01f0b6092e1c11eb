import { createSuggest, nearName } from './near-name.ts';

describe('the nearest name', () => {
  it.each([
    ['metrc', 'metric'],
    ['mertic', 'metric'],
    ['Metric', 'metric'],
    ['levles', 'levels'],
    ['pointSystem', 'pointsSystem'],
  ])('to %s is %s', (name, expected) => {
    expect(nearName(name, ['metric', 'levels', 'pointsSystem', 'run'])).toBe(expected);
  });

  it('is none if too much differs', () => {
    expect(nearName('banana', ['metric', 'levels'])).toBeNull();
    expect(nearName('x', [])).toBeNull();
  });

  it('is the closest of several', () => {
    expect(nearName('weekly2', ['weekly-xp', 'weekly'])).toBe('weekly');
  });

  it('is no longer looked for after a hundred suggestions', () => {
    const suggest = createSuggest();
    const said = Array.from({ length: 150 }, () => suggest('metrc', ['metric']));
    expect(said.filter((text) => text !== '')).toHaveLength(100);
  });
});
