import { formatInstant } from './instants.ts';
import { dateExists, endOfDate, localDate, localTime } from './local-dates.ts';

const end = (date: string, zone: string) => formatInstant(endOfDate(date, zone));
const at = (text: string) => Date.parse(text);

describe('localTime', () => {
  it('returns the date and time in the zone', () => {
    expect(localTime(at('2024-06-30T22:30:00.125Z'), 'Europe/Berlin')).toBe('2024-07-01T00:30:00.125');
    expect(localTime(at('2024-01-01T00:00:00Z'), 'America/St_Johns')).toBe('2023-12-31T20:30:00.000');
  });
});

describe('localDate', () => {
  it('returns the date in the zone', () => {
    expect(localDate(at('2024-06-30T23:30:00Z'), 'UTC')).toBe('2024-06-30');
    expect(localDate(at('2024-06-30T23:30:00Z'), 'Europe/Berlin')).toBe('2024-07-01');
    expect(localDate(at('2024-07-01T06:59:59.999Z'), 'America/Los_Angeles')).toBe('2024-06-30');
    expect(localDate(at('2024-07-01T07:00:00Z'), 'America/Los_Angeles')).toBe('2024-07-01');
  });

  it('follows offsets of odd minutes and, in early years, odd seconds', () => {
    expect(localDate(at('2024-01-01T18:14:59.999Z'), 'Asia/Kathmandu')).toBe('2024-01-01');
    expect(localDate(at('2024-01-01T18:15:00Z'), 'Asia/Kathmandu')).toBe('2024-01-02');
    expect(localDate(at('1850-01-01T04:56:01.999Z'), 'America/New_York')).toBe('1849-12-31');
    expect(localDate(at('1850-01-01T04:56:02Z'), 'America/New_York')).toBe('1850-01-01');
  });

  it('supports the first and the last date that can be written', () => {
    expect(localDate(at('0001-01-02T00:00:00Z'), 'America/New_York')).toBe('0001-01-01');
    expect(localDate(at('0050-03-01T12:00:00Z'), 'Europe/Berlin')).toBe('0050-03-01');
    expect(localDate(at('9999-12-31T23:00:00Z'), 'America/New_York')).toBe('9999-12-31');
    expect(() => localDate(at('9999-12-31T23:00:00Z'), 'Asia/Tokyo')).toThrow(RangeError);
  });

  it('refuses unknown zones and invalid instants', () => {
    expect(() => localDate(0, 'Mars/Olympus')).toThrow(RangeError);
    expect(() => localDate(0, 'europe/berlin')).toThrow(RangeError);
    expect(() => localDate(Number.NaN, 'Europe/Berlin')).toThrow(RangeError);
    expect(() => localDate(Number.NaN, 'UTC')).toThrow(RangeError);
  });
});

describe('endOfDate', () => {
  it('returns the next midnight in the zone', () => {
    expect(end('2024-06-30', 'UTC')).toBe('2024-07-01T00:00:00.000Z');
    expect(end('2024-06-30', 'Asia/Kolkata')).toBe('2024-06-30T18:30:00.000Z');
  });

  it('follows changes of daylight saving time', () => {
    expect(end('2024-03-30', 'Europe/Berlin')).toBe('2024-03-30T23:00:00.000Z');
    expect(end('2024-03-31', 'Europe/Berlin')).toBe('2024-03-31T22:00:00.000Z');
    expect(end('2024-10-26', 'Europe/Berlin')).toBe('2024-10-26T22:00:00.000Z');
    expect(end('2024-10-27', 'Europe/Berlin')).toBe('2024-10-27T23:00:00.000Z');
  });

  it('returns the instant of the change if clocks go forward at midnight', () => {
    expect(end('2018-11-03', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
    expect(end('2021-03-27', 'Asia/Beirut')).toBe('2021-03-27T22:00:00.000Z');
    expect(end('2021-03-25', 'Asia/Amman')).toBe('2021-03-25T22:00:00.000Z');
  });

  it('returns the second midnight if clocks go back across midnight', () => {
    expect(end('2018-02-17', 'America/Sao_Paulo')).toBe('2018-02-18T03:00:00.000Z');
    expect(end('2010-11-06', 'America/St_Johns')).toBe('2010-11-07T03:30:00.000Z');
    expect(localDate(at('2010-11-07T02:30:30Z'), 'America/St_Johns')).toBe('2010-11-07');
    expect(localDate(at('2010-11-07T02:31:00Z'), 'America/St_Johns')).toBe('2010-11-06');
  });

  it('returns the first midnight if clocks go back to midnight', () => {
    expect(end('2021-10-28', 'Asia/Amman')).toBe('2021-10-28T21:00:00.000Z');
  });

  it('returns the end of the second time that a zone shows a date', () => {
    expect(end('1969-09-29', 'Pacific/Kwajalein')).toBe('1969-09-29T13:00:00.000Z');
    expect(end('1969-09-30', 'Pacific/Kwajalein')).toBe('1969-10-01T12:00:00.000Z');
  });

  it('returns the end of the date before if the zone skipped the date', () => {
    expect(end('2011-12-30', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z');
    expect(end('2011-12-30', 'Pacific/Apia')).toBe(end('2011-12-29', 'Pacific/Apia'));
    expect(end('2011-12-31', 'Pacific/Apia')).toBe('2011-12-31T10:00:00.000Z');
  });

  it('supports the last date that can be written', () => {
    expect(end('9999-12-31', 'UTC')).toBe('+010000-01-01T00:00:00.000Z');
  });
});

describe('dateExists', () => {
  it.each([
    ['2011-12-30', 'Pacific/Apia'],
    ['2011-12-30', 'Pacific/Fakaofo'],
    ['1993-08-21', 'Pacific/Kwajalein'],
    ['1994-12-31', 'Pacific/Kiritimati'],
    ['1994-12-31', 'Pacific/Enderbury'],
    ['1844-12-31', 'Asia/Manila'],
  ])('is false for %s in %s, and true for the dates beside it', (date, zone) => {
    const day = Date.parse(`${date}T00:00:00Z`);
    const beside = [-1, 1].map((n) => new Date(day + n * 86_400_000).toISOString().slice(0, 10));
    expect(dateExists(date, zone)).toBe(false);
    expect(beside.map((other) => dateExists(other, zone))).toEqual([true, true]);
    expect(dateExists(date, 'UTC')).toBe(true);
  });

  it('is true for a date without a midnight', () => {
    expect(dateExists('2018-11-04', 'America/Sao_Paulo')).toBe(true);
  });
});
