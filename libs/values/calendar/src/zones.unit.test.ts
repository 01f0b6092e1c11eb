import { isZoneName, tzDataVersion, zoneNames } from './zones.ts';

describe('isZoneName', () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
    'EST5EDT',
    'GMT',
    'Asia/Calcutta',
    'Asia/Kolkata',
  ])('accepts %s, a zone or link name of the IANA database', (name) => expect(isZoneName(name)).toBe(true));

  it.each([
    '',
    'local',
    'system',
    'Local',
    '+05:30',
    '-08',
    'UTC+3',
    'UTC+03:00',
    'utc',
    'Utc',
    'PST',
    'CEST',
    '__proto__',
    'constructor',
  ])('refuses %j, which is not a name of the database', (name) => expect(isZoneName(name)).toBe(false));

  it.each([
    'europe/berlin',
    'EUROPE/BERLIN',
    'Europe/berlin',
    ' Europe/Berlin',
    'Europe/Berlin ',
    'Europe/Berlin\u0000',
  ])('refuses %j, which is not spelled as in the database', (name) => expect(isZoneName(name)).toBe(false));

  it('refuses Factory, a name of the database without a clock', () => {
    expect(isZoneName('Factory')).toBe(false);
  });
});

describe('zoneNames', () => {
  it('lists every name once, in order', () => {
    const names = zoneNames();
    expect(names.length).toBeGreaterThan(500);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toContain('UTC');
    expect(names.every(isZoneName)).toBe(true);
  });
});

describe('tzDataVersion', () => {
  it('names a release of the database', () => {
    expect(tzDataVersion).toMatch(/^\d{4}[a-z]+$/);
  });
});
