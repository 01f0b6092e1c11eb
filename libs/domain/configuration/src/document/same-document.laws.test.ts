import fc from 'fast-check';
import { COMPLETE_DOCUMENT } from '../complete-document.test-data.ts';
import { parseDocument } from './parse-document.ts';
import { isMap } from './place.ts';
import { sameDocument } from './same-document.ts';

const { document } = parseDocument(COMPLETE_DOCUMENT, 'app.yaml');

/** The value with the fields of every map in another order. */
function shuffled(value: unknown, seeds: readonly number[]): unknown {
  if (Array.isArray(value)) return value.map((element) => shuffled(element, seeds));
  if (!isMap(value)) return value;
  const fields = Object.entries(value).map(([name, field], index) => ({ name, field, rank: seeds[index] ?? 0 }));
  fields.sort((a, b) => a.rank - b.rank);
  return Object.fromEntries(fields.map(({ name, field }) => [name, shuffled(field, seeds)]));
}

function edited(edit: (copy: NonNullable<typeof document>) => void) {
  const copy = structuredClone(document);
  if (copy === undefined) throw new Error('the complete document does not parse');
  edit(copy);
  return copy;
}

describe('sameDocument', () => {
  it('ignores the order of fields', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 12, maxLength: 12 }), (seeds) => {
        expect(sameDocument(document, shuffled(document, seeds))).toBe(true);
      }),
    );
  });

  it('ignores whether defaults are spelled out', () => {
    const short = { version: 1, metrics: [{ key: 'a', name: 'A' }] };
    expect(sameDocument(short, { ...short, achievements: [], points: [], leaderboards: [] })).toBe(true);
    const outgoing = { events: ['streak.lost'], keep: '7d', announceTop: 10 };
    const defaults = {
      atRisk: { at: '18:00' },
      recap: { day: 'monday', at: '09:00' },
      reactivation: { days: [3, 7, 30] },
    };
    expect(sameDocument({ ...short, outgoing }, { ...short, outgoing: { ...outgoing, ...defaults } })).toBe(true);
    const later = { ...outgoing, recap: { day: 'monday', at: '09:01' } };
    expect(sameDocument({ ...short, outgoing }, { ...short, outgoing: later })).toBe(false);
  });

  it.each([
    ['the order of streak conditions', edited((copy) => copy.streak?.conditions.reverse())],
    ['the order of levels', edited((copy) => copy.points[0]?.levels.reverse())],
    [
      'how an instant is written',
      edited((copy) => {
        const trigger = copy.points[0]?.triggers[4];
        if (trigger?.type === 'time') trigger.activeFrom = '2026-03-01T00:00:00.000Z';
      }),
    ],
    [
      'the sign of zero',
      edited((copy) => {
        for (const level of copy.points[0]?.levels ?? []) if (level.points === 0) level.points = -0;
      }),
    ],
  ])('ignores %s', (_, other) => {
    expect(sameDocument(document, other)).toBe(true);
  });
});

describe('sameDocument between different documents', () => {
  it.each([
    ['the order of metrics', edited((copy) => copy.metrics.reverse())],
    ['the order of achievements', edited((copy) => copy.achievements.reverse())],
    ['the order of triggers', edited((copy) => copy.points[0]?.triggers.reverse())],
    ['the order of leaderboards', edited((copy) => copy.leaderboards.reverse())],
    ['a changed field', edited((copy) => (copy.points[0]!.maxPoints = 7))],
    ['a removed field', edited((copy) => delete copy.streak)],
    ['the removed key of a trigger', edited((copy) => delete copy.points[0]!.triggers[5]!.key)],
  ])('sees a difference in %s', (_, other) => {
    expect(sameDocument(document, other)).toBe(false);
  });
});
