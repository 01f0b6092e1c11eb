import { createSuggest } from './near-name.ts';
import { unknownThing } from './unknown-thing.ts';

describe('unknownThing', () => {
  const known = ['lessons', 'minutes', 'xp'];

  it.each([
    ['unknown_metric', 'lesons', "There is no metric 'lesons' (did you mean 'lessons'?)."],
    ['unknown_metric', 'Lessons', "There is no metric 'Lessons' (did you mean 'lessons'?)."],
    ['unknown_points_system', 'px', "There is no points system 'px' (did you mean 'xp'?)."],
    ['unknown_leaderboard', 'of another account', "There is no leaderboard 'of another account'."],
    ['unknown_achievement', '', "There is no achievement ''."],
    ['unknown_metric', '😀'.repeat(70), `There is no metric '${'😀'.repeat(64)}…'.`],
  ] as const)('answers %s %s with the key and the nearest known one', (code, key, error) => {
    expect(unknownThing(code, key, known)).toMatchObject({ status: 404, code, error, detail: error });
  });

  it('compares at most a hundred keys of a batch', () => {
    const suggest = createSuggest();
    const errors = Array.from({ length: 150 }, () => unknownThing('unknown_metric', 'lesons', known, suggest).error);
    expect(errors.filter((error) => error.includes('did you mean'))).toHaveLength(100);
    expect(errors.at(-1)).toBe("There is no metric 'lesons'.");
  });
});
