import fc from 'fast-check';
import { formatInstant, parseInstant } from './instants.ts';

describe('parseInstant', () => {
  it.each([
    ['2014-05-21T10:30:00Z', '2014-05-21T10:30:00.000Z'],
    ['2014-05-21T10:30:00.5Z', '2014-05-21T10:30:00.500Z'],
    ['2014-05-21T10:30:00.123456789Z', '2014-05-21T10:30:00.123Z'],
    ['2014-05-21T10:30Z', '2014-05-21T10:30:00.000Z'],
    ['2014-05-21T10:30:00+05:30', '2014-05-21T05:00:00.000Z'],
    ['2014-05-21T23:30:00-02:00', '2014-05-22T01:30:00.000Z'],
    ['2024-02-29T00:00:00+00:00', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, utc) => {
    expect(formatInstant(parseInstant(text)!)).toBe(utc);
  });

  it.each([
    '2014-05-21',
    '2014-05-21T10:30:00',
    '2014-05-21 10:30:00Z',
    '2014-05-21t10:30:00z',
    '20140521T103000Z',
    '2014-05-21T10Z',
    '2014-05-21T24:00:00Z',
    '2014-05-21T10:60:00Z',
    '2016-12-31T23:59:60Z',
    '2023-02-29T00:00:00Z',
    '2014-05-21T10:30:00.Z',
    '2014-05-21T10:30:00+5:30',
    '2014-05-21T10:30:00+0530',
    '2014-05-21T10:30:00+24:00',
    '2014-05-21T10:30:00+05:60',
    '+002014-05-21T10:30:00Z',
    ' 2014-05-21T10:30:00Z',
    '2014-05-21T10:30:00Z\n',
    '1400668200000',
    '',
    'now',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('refuses instants so far out that the date in some zone could not be written', () => {
    expect(parseInstant('0001-01-31T23:59:59Z')).toBeNull();
    expect(parseInstant('0001-02-01T00:00:00Z')).not.toBeNull();
    expect(parseInstant('9999-11-30T00:00:00Z')).not.toBeNull();
    expect(parseInstant('9999-11-30T00:00:00.001Z')).toBeNull();
    expect(parseInstant('0000-06-01T00:00:00Z')).toBeNull();
  });

  it('reads what formatInstant writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_000_000_000_000, max: 253_000_000_000_000 }), (instant) => {
        expect(parseInstant(formatInstant(instant))).toBe(instant);
      }),
    );
  });
});
