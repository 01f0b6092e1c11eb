import { DEMO_CONFIGURATION } from './demo-configuration.ts';
import { parseDocument } from './document/parse-document.ts';
import { compileHistory } from './history/compile-history.ts';

const { document, problems } = parseDocument(DEMO_CONFIGURATION, 'demo.yaml');

describe('the demo configuration', () => {
  it('has no problems', () => {
    expect(problems).toBeUndefined();
  });

  it('rewards a first lesson with a streak, an achievement, points and a rank', () => {
    const { current } = compileHistory('default', [{ version: 1, document, publishedAt: 0 }]);
    expect(current.streak?.conditions).toContainEqual({ metric: 'lessons', threshold: 1_000_000n });
    expect(current.achievementByKey.get('first-lesson')?.trigger).toMatchObject({ type: 'metric', value: 1_000_000n });
    expect(current.pointsSystems.map(({ key, levels }) => [key, levels[0]?.points])).toEqual([
      ['xp', 10n],
      ['energy', undefined],
    ]);
    expect(current.leaderboards.map(({ rankBy }) => rankBy.type)).toEqual(['metric', 'points']);
  });
});
