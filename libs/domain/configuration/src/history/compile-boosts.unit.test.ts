import { parseDocument } from '../document/parse-document.ts';
import { compileHistory } from './compile-history.ts';

const at = (text: string) => Date.parse(text);
const WEEKEND = 'key: weekend, name: Weekend, multiplier: 1.15, start: 2026-01-10T00:00:00Z, end: 2026-01-12T00:00:00Z';

function published(points: string, publishedAt: string, version: number) {
  const text = `version: 1\nmetrics: [{ key: runs, name: Runs }]\npoints: [${points}]`;
  const { document, problems } = parseDocument(text, 'app.yaml');
  if (document === undefined) throw new Error(JSON.stringify(problems));
  return { version, document, publishedAt: at(publishedAt) };
}

const system = (boosts: string) => `{ key: xp, name: XP, triggers: [], boosts: [${boosts}] }`;

/** The boosts of `xp` after these publications, an instant with each. */
function boostsAfter(...versions: readonly (readonly [points: string, publishedAt: string])[]) {
  const all = versions.map(([points, publishedAt], index) => published(points, publishedAt, index + 1));
  const xp = compileHistory('default', all).current.pointsSystemByKey.get('xp');
  return { boosts: xp?.boosts ?? [], removed: xp?.removedBoosts ?? [] };
}

describe('the boosts of a version', () => {
  it('have multipliers in hundredths, exactly, and instants', () => {
    const { boosts } = boostsAfter([system(`{ ${WEEKEND} }`), '2026-01-01T00:00:00Z']);
    expect(boosts).toEqual([
      {
        ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), key: 'weekend', name: 'Weekend', multiplier: 115 },
        ...{ rounding: 'down', start: at('2026-01-10T00:00:00Z'), end: at('2026-01-12T00:00:00Z'), where: null },
      },
    ]);
  });

  it('end when they are removed, unless they had not begun', () => {
    const open = '{ key: open, name: Open, multiplier: 2, start: 2026-01-02T00:00:00Z }';
    const both = system(`{ ${WEEKEND} }, ${open}`);
    const early = boostsAfter([both, '2026-01-01T00:00:00Z'], [system(''), '2026-01-05T00:00:00Z']);
    expect(early.removed).toEqual([expect.objectContaining({ key: 'open', end: at('2026-01-05T00:00:00Z') })]);
    const late = boostsAfter([both, '2026-01-01T00:00:00Z'], [system(''), '2026-02-05T00:00:00Z']);
    expect(late.removed).toEqual([
      expect.objectContaining({ key: 'weekend', end: at('2026-01-12T00:00:00Z') }),
      expect.objectContaining({ key: 'open', end: at('2026-02-05T00:00:00Z') }),
    ]);
  });

  it('end with their points system, and are no longer removed once they return', () => {
    const first = [system(`{ ${WEEKEND} }`), '2026-01-01T00:00:00Z'] as const;
    const gone = ['', '2026-01-11T00:00:00Z'] as const;
    const empty = boostsAfter(first, gone, [system(''), '2026-02-01T00:00:00Z']);
    expect(empty.removed).toEqual([expect.objectContaining({ key: 'weekend', end: at('2026-01-11T00:00:00Z') })]);
    const back = boostsAfter(first, gone, [system(`{ ${WEEKEND} }`), '2026-02-01T00:00:00Z']);
    expect([back.boosts, back.removed]).toEqual([[expect.objectContaining({ key: 'weekend' })], []]);
    expect(back.boosts[0]?.id).toBe(empty.removed[0]?.id);
  });
});
