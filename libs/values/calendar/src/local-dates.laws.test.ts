import fc from 'fast-check';
import { addDays } from './dates.ts';
import { dateExists, endOfDate, localDate } from './local-dates.ts';
import { offsetPeriods } from './offsets.ts';
import { zoneNames } from './zones.ts';

const YEAR_MS = 365.2425 * 86_400_000;

/** Zones whose clocks did something at or over midnight, or across the date line. */
const ODD = [
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Asia/Amman',
  'Asia/Gaza',
  'Africa/Cairo',
  'America/Asuncion',
  'America/Havana',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
  'Pacific/Enderbury',
  'America/Juneau',
  'Asia/Manila',
  'Africa/Freetown',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Africa/Casablanca',
  'Atlantic/Azores',
  'America/Scoresbysund',
];

const zones = fc.oneof(fc.constantFrom(...zoneNames()), fc.constantFrom(...ODD));
const instants = fc.oneof(
  fc.integer({ min: Math.round(-70 * YEAR_MS), max: Math.round(70 * YEAR_MS) }),
  fc.integer({ min: Math.round(-1900 * YEAR_MS), max: Math.round(8000 * YEAR_MS) }),
);

/** Instants on both sides of the changes of a zone's offset around a random one. */
const besideChange = fc
  .tuple(zones, instants, fc.integer({ min: -90_000_000, max: 90_000_000 }))
  .map(([zone, instant, shift]) => {
    const change = offsetPeriods(instant, instant + 0.6 * YEAR_MS, zone)[0]!.until;
    return { zone, instant: change + shift };
  });
const moments = fc.oneof(fc.record({ zone: zones, instant: instants }), besideChange);

/** An oracle that shares nothing with the code: Intl writes the date. */
const formats = new Map<string, Intl.DateTimeFormat>();
function writtenByIntl(instant: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(zone, format);
  const part = (type: string) => format.formatToParts(instant).find((p) => p.type === type)!.value;
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

describe('local dates', () => {
  it('equal those that Intl formats, even near a change of offset', () => {
    fc.assert(
      fc.property(moments, ({ zone, instant }) => {
        expect(localDate(instant, zone)).toBe(writtenByIntl(instant, zone));
      }),
      { numRuns: 800 },
    );
  });

  it('exist, and end after any instant at which the zone shows them', () => {
    fc.assert(
      fc.property(moments, ({ zone, instant }) => {
        const date = localDate(instant, zone);
        expect(endOfDate(date, zone)).toBeGreaterThan(instant);
        expect(dateExists(date, zone)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('end at the one instant after which the zone never shows them again', () => {
    fc.assert(
      fc.property(moments, fc.nat({ max: 200_000_000 }), ({ zone, instant }, later) => {
        const date = localDate(instant, zone);
        for (const day of [addDays(date, -1), date, addDays(date, 1)]) {
          const ended = endOfDate(day, zone);
          expect(localDate(ended - 1, zone) <= day).toBe(true);
          expect(localDate(ended, zone) > day).toBe(true);
          expect(localDate(ended + later, zone) > day).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('end in order, and a date that ends with the one before it was never shown', () => {
    fc.assert(
      fc.property(moments, ({ zone, instant }) => {
        const date = addDays(localDate(instant, zone), -1);
        const [before, ended] = [endOfDate(addDays(date, -1), zone), endOfDate(date, zone)];
        expect(before <= ended).toBe(true);
        expect(dateExists(date, zone)).toBe(before < ended);
        if (before < ended) expect(localDate(ended - 1, zone)).toBe(date);
      }),
      { numRuns: 400 },
    );
  });

  it('do not depend on earlier calls', () => {
    fc.assert(
      fc.property(fc.array(moments, { minLength: 2, maxLength: 20 }), (asked) => {
        const dates = asked.map(({ zone, instant }) => localDate(instant, zone));
        const again = asked.toReversed().map(({ zone, instant }) => localDate(instant, zone));
        expect(again.toReversed()).toEqual(dates);
      }),
      { numRuns: 50 },
    );
  });
});
