import type { AchievementDefinition } from '@laurel/kernel';
import { achievementAnswer } from './achievement-answer.ts';
import { achievement } from './achievement.ts';

const DEFINITION: AchievementDefinition = {
  ...{ id: '00000000-0000-5000-8000-000000000000', key: 'a', name: 'A', description: null, badgeUrl: null },
  ...{ group: null, tier: null, hidden: false, activeFrom: null, activeUntil: null, where: null },
  trigger: { type: 'api' },
};
const answerOf = (shown: Partial<AchievementDefinition>) => achievementAnswer({ ...DEFINITION, ...shown }, null);

describe('the answer about an achievement', () => {
  it.each([
    [{}, {}],
    [{ group: 'g' }, { group: 'g' }],
    [{ tier: 0 }, { tier: 0 }],
    [{ hidden: true }, { hidden: true }],
    [
      { group: 'g', tier: -2, hidden: true },
      { group: 'g', tier: -2, hidden: true },
    ],
  ])('has group, tier and hidden only if they are set: %j', (set, shown) => {
    const answer = answerOf(set);
    expect(achievement.strict().safeParse(answer).error).toBeUndefined();
    expect(answer).toEqual({ ...answerOf({}), ...shown });
    expect(Object.keys(answer).filter((name) => ['group', 'tier', 'hidden'].includes(name))).toEqual(
      Object.keys(shown),
    );
  });
});
