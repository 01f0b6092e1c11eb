import { achievementCycles } from './achievement-cycles.ts';

function cyclesIn(requirements: readonly (readonly number[])[]) {
  const achievements = requirements.map((required, index) => ({
    key: `a${index}`,
    trigger: { type: 'achievement', achievements: required.map((other) => `a${other}`) },
  }));
  return [...achievementCycles({ path: [], value: { achievements } })].map(({ path }) => path);
}

describe('achievementCycles', () => {
  it('finds none if two paths lead to the same achievement', () => {
    expect(cyclesIn([[1, 2], [3], [3], []])).toEqual([]);
  });

  it('finds a cycle behind achievements that belong to none', () => {
    expect(cyclesIn([[1], [2], [1]])).toEqual([['achievements', 2, 'trigger', 'achievements', 0]]);
  });

  it('finds a cycle longer than the call stack', () => {
    const chain = Array.from({ length: 50_000 }, (_, index) => [(index + 1) % 50_000]);
    expect(cyclesIn(chain)).toEqual([['achievements', 49_999, 'trigger', 'achievements', 0]]);
  });

  it('returns nothing for values that are not documents', () => {
    for (const value of [
      null,
      7,
      [],
      { achievements: 7 },
      { achievements: [null, { key: 7 }, { key: 'a', trigger: [] }] },
    ])
      expect([...achievementCycles({ path: [], value })]).toEqual([]);
  });
});
