import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { demoSummary, lookFurther, type DemoNumbers } from './demo-summary.ts';

const facts: DemoNumbers = {
  allTime: { name: 'Lessons', rankings: [{ rank: 1, userId: 'demo-1', userName: 'Ada Abe', value: 12 }] },
  weekly: { name: 'This week', rankings: [] },
  achievements: [{ name: 'First', completions: 2, rarity: 66.67 }],
  ranges: [
    { from: 0, to: 0, users: 0 },
    { from: 1, to: 10, users: 40 },
    { from: 11, to: 20, users: 1 },
    { from: 21, to: 30, users: 0 },
  ],
  longest: { id: 'demo-1', name: 'Ada Abe', streak: { length: 5, started: '2026-11-16', expires: '2026-11-21' } },
};

describe('the summary of a demo', () => {
  it('shows boards, rarity, points without their empty upper end, and the longest streak', () => {
    expect(demoSummary(facts)).toEqual([
      'Lessons',
      '  1  Ada Abe  demo-1  12',
      '',
      'This week',
      '',
      'Achievements, and how many have them',
      '  First  2  66.67%',
      '',
      'Users by experience',
      '  0         0',
      '  1 to 10   40  ########################################',
      '  11 to 20  1   #',
      '',
      'The longest streak that is alive',
      '  Ada Abe  demo-1  5 days since 2026-11-16, good until 2026-11-21',
      '',
    ]);
  });

  it('says that no streak is alive', () => {
    const nobody = { ...facts, longest: { ...facts.longest, streak: { length: 0, started: null, expires: null } } };
    expect(demoSummary(nobody).at(-2)).toBe('  none');
  });

  it('contains commands to copy', () => {
    const [, ...lines] = lookFurther(facts, 'http://127.0.0.1:3000', '2026-11-01', '2026-11-20');
    for (const line of lines)
      expect(line).toMatch(/^ {2}curl -H "X-API-KEY: \$LAUREL_API_KEY" "http:\/\/127\.0\.0\.1:3000\/v1\/[\w/?&=-]+"$/);
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in names: %s', (_, name) => {
    const named: DemoNumbers = {
      ...facts,
      allTime: { name, rankings: [{ rank: 1, userId: name, userName: name, value: 1 }] },
      achievements: [{ name, completions: 1, rarity: 1 }],
      longest: { ...facts.longest, id: name, name },
    };
    expect(demoSummary(named)).toHaveLength(demoSummary(facts).length);
    for (const line of demoSummary(named)) expect(line).toMatch(HARMLESS);
  });
});
