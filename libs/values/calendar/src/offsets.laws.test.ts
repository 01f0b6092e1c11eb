import fc from 'fast-check';
import { IANAZone } from 'luxon';
import { LocalMemory } from './memory.ts';
import { WIDEST_OFFSET_MS, offsetAt, offsetPeriods } from './offsets.ts';
import { zoneNames } from './zones.ts';

const zones = fc.constantFrom(...zoneNames());
const instants = fc.integer({ min: Date.UTC(1880, 0, 1), max: Date.UTC(2040, 0, 1) });

describe('offsetAt', () => {
  it('agrees with luxon, whether or not the offset is cached', () => {
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const expected = Math.round(IANAZone.create(zone).offset(instant) * 60) * 1000;
        expect(offsetAt(instant, zone)).toBe(expected);
        expect(offsetAt(instant, zone)).toBe(expected);
        expect(Math.abs(expected)).toBeLessThan(WIDEST_OFFSET_MS);
      }),
      { numRuns: 1000 },
    );
  });

  it('changes at the exact millisecond', () => {
    const change = Date.UTC(2024, 2, 31, 1);
    expect(offsetAt(change - 1, 'Europe/Berlin')).toBe(3_600_000);
    expect(offsetAt(change, 'Europe/Berlin')).toBe(7_200_000);
  });

  it('finds both changes of a zone that changed twice within seven days', () => {
    const noonOfOctober = (day: number) => offsetAt(Date.UTC(2000, 9, day, 12), 'America/Recife') / 3_600_000;
    expect([7, 8, 14, 15].map(noonOfOctober)).toEqual([-3, -2, -2, -3]);
  });
});

describe('offsetPeriods', () => {
  it('covers the requested time in order, without gaps or equal neighbours', () => {
    fc.assert(
      fc.property(zones, instants, fc.nat({ max: 400 * 86_400_000 }), (zone, from, length) => {
        const spans = offsetPeriods(from, from + length, zone);
        expect(spans[0]!.from).toBeLessThanOrEqual(from);
        expect(spans.at(-1)!.until).toBeGreaterThan(from + length);
        spans.forEach((span, index) => {
          expect(span.until).toBeGreaterThan(span.from);
          expect(offsetAt(span.from, zone)).toBe(span.offset);
          expect(offsetAt(span.until - 1, zone)).toBe(span.offset);
          if (index > 0) {
            expect(span.from).toBe(spans[index - 1]!.until);
            expect(span.offset).not.toBe(spans[index - 1]!.offset);
          }
        });
      }),
      { numRuns: 150 },
    );
  });
});

describe('LocalMemory', () => {
  it('forgets everything when it is full, and never exceeds its capacity', () => {
    const memory = new LocalMemory<string>(3);
    for (let key = 0; key < 10; key++) {
      expect(memory.set(key % 2 === 0 ? 'UTC' : 'GMT', key, `v${key}`)).toBe(`v${key}`);
      expect(memory.get(key % 2 === 0 ? 'UTC' : 'GMT', key)).toBe(`v${key}`);
    }
    const held = Array.from({ length: 10 }, (_, key) => memory.get(key % 2 === 0 ? 'UTC' : 'GMT', key)).filter(Boolean);
    expect(held.length).toBeLessThanOrEqual(3);
    expect(memory.get('UTC', 1)).toBeUndefined();
  });
});
