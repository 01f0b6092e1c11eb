import {
  addDays,
  addMonths,
  dateOfDay,
  dayNumber,
  daysBetween,
  daysSinceMonday,
  endOfMonth,
  parseDate,
} from './dates.ts';

describe('parseDate', () => {
  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2023-12-31'])('accepts %s', (text) => {
    expect(parseDate(text)).toBe(text);
  });

  it.each([
    '2023-02-29',
    '1900-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '0000-01-01',
    '10000-01-01',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00:00Z',
    ' 2024-01-01',
    '2024-01-01\n',
    '-001-01-01',
    '२०२४-०१-०१',
    '',
  ])('refuses %j', (text) => {
    expect(parseDate(text)).toBeNull();
  });
});

describe('day numbers', () => {
  it('count from 1970-01-01', () => {
    expect(dayNumber('1970-01-01')).toBe(0);
    expect(dayNumber('1969-12-31')).toBe(-1);
    expect(dateOfDay(11_016)).toBe('2000-02-29');
  });

  it('cover exactly the years 1 to 9999', () => {
    expect(dateOfDay(dayNumber('0001-01-01'))).toBe('0001-01-01');
    expect(dateOfDay(dayNumber('9999-12-31'))).toBe('9999-12-31');
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError);
    expect(() => addDays('0001-01-01', -1)).toThrow(RangeError);
    expect(() => dateOfDay(Number.NaN)).toThrow(RangeError);
  });

  it('are refused for text that is not a date', () => {
    expect(() => dayNumber('2023-02-29')).toThrow(RangeError);
    expect(() => addMonths('2023-02-29', 1)).toThrow(RangeError);
  });
});

describe('addDays and daysBetween', () => {
  it('cross a leap day', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2023-02-28', 1)).toBe('2023-03-01');
    expect(daysBetween('2024-02-28', '2024-03-01')).toBe(2);
    expect(daysBetween('2024-03-01', '2024-02-28')).toBe(-2);
  });
});

describe('addMonths', () => {
  it('counts from the anchor day, and takes the last day of a month that lacks it', () => {
    expect([0, 1, 2, 3, 13].map((n) => addMonths('2024-01-31', n))).toEqual([
      '2024-01-31',
      '2024-02-29',
      '2024-03-31',
      '2024-04-30',
      '2025-02-28',
    ]);
  });

  it('goes back across years', () => {
    expect(addMonths('2024-01-15', -1)).toBe('2023-12-15');
    expect(addMonths('2024-12-31', -13)).toBe('2023-11-30');
    expect(addMonths('2024-02-29', 12)).toBe('2025-02-28');
  });

  it('refuses results outside the years 1 to 9999', () => {
    expect(() => addMonths('9999-12-01', 1)).toThrow(RangeError);
    expect(() => addMonths('0001-01-31', -1)).toThrow(RangeError);
  });
});

describe('calendar helpers', () => {
  it('find the last date of a month', () => {
    expect(['2023-02-01', '2024-02-10', '1900-02-01', '2000-02-01', '2024-12-31'].map(endOfMonth)).toEqual([
      '2023-02-28',
      '2024-02-29',
      '1900-02-28',
      '2000-02-29',
      '2024-12-31',
    ]);
  });

  it('count weekdays from Monday, even before 1970', () => {
    expect(['2024-01-01', '2024-01-07', '0001-01-01', '1969-12-28'].map(daysSinceMonday)).toEqual([0, 6, 0, 6]);
  });
});
