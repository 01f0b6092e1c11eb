import { decimalWarnings } from './decimal-warnings.ts';
import { parseDocument } from './parse-document.ts';

const DOCUMENT = `version: 1
metrics: [{ key: runs, name: Runs }, { key: hours, name: Hours }]
streak: { frequency: daily, conditions: [{ metric: hours, threshold: HOURS }] }
achievements:
  - { key: a, name: A, trigger: { type: metric, metric: runs, value: VALUE } }
  - { key: b, name: B, trigger: { type: streak, length: 3 } }
points:
  - key: xp
    name: XP
    triggers:
      - { type: streak, length: 1, points: 5 }
      - { type: metric, metric: runs, threshold: THRESHOLD, points: 10 }
leaderboards:
  - { key: of-runs, name: Runs, rankBy: metric, metric: runs, start: 2026-01-01 }
  - { key: of-hours, name: Hours, rankBy: metric, metric: hours, start: 2026-01-01 }
  - { key: of-xp, name: XP, rankBy: points, pointsSystem: xp, start: 2026-01-01 }
`;

function pathsWith(hours: number, value: number, threshold: number): readonly string[] {
  const text = DOCUMENT.replace('HOURS', `${hours}`).replace('VALUE', `${value}`).replace('THRESHOLD', `${threshold}`);
  const { document, problems } = parseDocument(text, 'laurel.yaml');
  expect(problems ?? []).toEqual([]);
  if (!document) throw new Error('the document cannot be read');
  return decimalWarnings(document).map(({ path }) => path);
}

describe('decimalWarnings', () => {
  it('returns nothing for a configuration of whole numbers', () => {
    expect(pathsWith(1, 2, 3)).toEqual([]);
  });

  it('names each decimal that answers show', () => {
    expect(pathsWith(1, 0.5, 3)).toEqual(['achievements[0].trigger.value', 'leaderboards[0]']);
    expect(pathsWith(1, 2, 2.5)).toEqual(['points[0].triggers[1].threshold', 'leaderboards[0]']);
  });

  it('names the leaderboard of a metric that the streak measures in decimals', () => {
    expect(pathsWith(1.5, 2, 3)).toEqual(['leaderboards[1]']);
  });
});
