import fc from 'fast-check';
import { addDays, addMonths, dateOfDay, dayNumber, daysBetween, parseDate } from './dates.ts';

const anyDate = fc.integer({ min: -719_162, max: 2_932_896 }).map(dateOfDay);
const midDate = fc.integer({ min: -100_000, max: 100_000 }).map(dateOfDay);

describe('dates', () => {
  it('are parsed and formatted without loss, and keep their order', () => {
    fc.assert(
      fc.property(anyDate, anyDate, (a, b) => {
        expect(parseDate(a)).toBe(a);
        expect(dateOfDay(dayNumber(a))).toBe(a);
        expect(a < b).toBe(dayNumber(a) < dayNumber(b));
      }),
    );
  });

  it('agree with the JavaScript calendar', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date);
        expect(Date.parse(`${date}T00:00:00Z`)).toBe(dayNumber(date) * 86_400_000);
      }),
    );
  });

  it('add and count days inversely', () => {
    fc.assert(
      fc.property(midDate, fc.integer({ min: -50_000, max: 50_000 }), (date, n) => {
        expect(daysBetween(date, addDays(date, n))).toBe(n);
        expect(addDays(addDays(date, n), -n)).toBe(date);
      }),
    );
  });

  it('add months in order, on the anchor day or the last day of the month', () => {
    fc.assert(
      fc.property(midDate, fc.integer({ min: -600, max: 600 }), (anchor, n) => {
        const date = addMonths(anchor, n);
        const months = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
        expect(months(date) - months(anchor)).toBe(n);
        expect(addMonths(anchor, n + 1) > date).toBe(true);
        const clamped = date.slice(8) !== anchor.slice(8);
        if (clamped) expect(addDays(date, 1).slice(8)).toBe('01');
      }),
    );
  });
});
