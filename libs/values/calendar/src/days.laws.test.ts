import fc from 'fast-check';
import { dateOfDay } from './dates.ts';
import { dayAt, dayExists, endOfDay, formatDay, nextPeriodStart, parseDay, periodStart } from './days.ts';
import { dateExists, endOfDate, localDate } from './local-dates.ts';
import { offsetAt, offsetPeriods } from './offsets.ts';
import { nextPeriod, periodOf } from './periods.ts';
import { ZoneClock } from './zone-clock.ts';
import { zoneNames } from './zones.ts';

const DAY_MS = 86_400_000;
const zones = fc.constantFrom(...zoneNames());
const instants = fc.integer({ min: Date.UTC(1880, 0, 1), max: Date.UTC(2140, 0, 1) });
const days = instants.map((instant) => Math.floor(instant / DAY_MS));
const rules = fc.record({
  frequency: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
  weekStart: fc.constantFrom('monday' as const, 'sunday' as const),
});

describe('a zone clock', () => {
  it('gives the same offsets as offsetAt, in whatever order they are requested', () => {
    fc.assert(
      fc.property(zones, fc.array(instants, { minLength: 1, maxLength: 5 }), (zone, asked) => {
        const clock = new ZoneClock(zone);
        for (const instant of asked) expect(clock.offsetAt(instant)).toBe(offsetAt(instant, zone));
      }),
      { numRuns: 500 },
    );
  });

  it('finds every change of offset since 1970, to the millisecond', () => {
    for (const zone of zoneNames().filter((_, place) => place % 12 === 0)) {
      const clock = new ZoneClock(zone);
      for (const { from, offset } of offsetPeriods(Date.UTC(1970, 0, 3), Date.UTC(2027, 0, 1), zone).slice(1)) {
        expect([zone, from, clock.offsetAt(from)]).toEqual([zone, from, offset]);
        expect([zone, from, clock.offsetAt(from - 1)]).toEqual([zone, from, offsetAt(from - 1, zone)]);
      }
    }
  });

  it('finds both changes of a zone that changed twice within seven days', () => {
    const clock = new ZoneClock('America/Recife');
    const noonOfOctober = (day: number) => clock.offsetAt(Date.UTC(2000, 9, day, 12)) / 3_600_000;
    expect([7, 8, 14, 15].map(noonOfOctober)).toEqual([-3, -2, -2, -3]);
  });
});

describe('days', () => {
  it('are the dates in the zone', () => {
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        expect(formatDay(dayAt(instant, zone))).toBe(localDate(instant, zone));
      }),
      { numRuns: 1_000 },
    );
  });

  it('end and exist like the corresponding dates', () => {
    fc.assert(
      fc.property(zones, days, (zone, day) => {
        expect(endOfDay(day, zone)).toBe(endOfDate(dateOfDay(day), zone));
        expect(dayExists(day, zone)).toBe(dateExists(dateOfDay(day), zone));
      }),
      { numRuns: 1_000 },
    );
  });

  it('that a zone skipped or showed twice end like the corresponding dates', () => {
    const odd = ['Pacific/Apia', 'Pacific/Kwajalein', 'America/Havana', 'America/St_Johns', 'Africa/Cairo'];
    for (const zone of odd)
      for (const { from } of offsetPeriods(Date.UTC(1990, 0, 1), Date.UTC(2012, 5, 1), zone))
        for (let day = Math.floor(from / DAY_MS) - 2; day <= Math.floor(from / DAY_MS) + 2; day++)
          expect([zone, day, endOfDay(day, zone), dayExists(day, zone)]).toEqual([
            zone,
            day,
            endOfDate(dateOfDay(day), zone),
            dateExists(dateOfDay(day), zone),
          ]);
    expect(dayExists(parseDay('2011-12-30'), 'Pacific/Apia')).toBe(false);
  });

  it('form the same periods as dates', () => {
    fc.assert(
      fc.property(fc.integer({ min: -719_100, max: 2_932_800 }), rules, (day, rule) => {
        const period = periodOf(dateOfDay(day), rule);
        const start = periodStart(day, rule);
        expect(formatDay(start)).toBe(period.start);
        expect(formatDay(nextPeriodStart(start, rule) - 1)).toBe(period.end);
        expect(formatDay(nextPeriodStart(start, rule))).toBe(nextPeriod(period, rule).start);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([Number.NaN, Infinity, Date.UTC(10_000, 0, 2)])('are refused for the instant %p', (instant) => {
    expect(() => dayAt(instant, 'UTC')).toThrow(RangeError);
    expect(() => dayAt(instant, 'Europe/Berlin')).toThrow(RangeError);
  });

  it('are refused for an unknown zone', () => {
    expect(() => dayAt(0, 'Europe/Nowhere')).toThrow(RangeError);
  });
});
