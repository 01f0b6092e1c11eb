import { nearZone } from './near-zone.ts';

describe('the nearest zone', () => {
  it.each([
    ['Europe/Berln', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Europe/Brelin', 'Europe/Berlin'],
    ['America/New York', 'America/New_York'],
    ['America/Buenos_Ares', 'America/Buenos_Aires'],
    ['Asia/Calcuta', 'Asia/Calcutta'],
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['utc', 'UTC'],
    ['gmt', 'GMT'],
  ])('to %s is %s', (written, zone) => {
    expect(nearZone(written)).toBe(zone);
  });

  it.each(['PST', 'XYZ', '', 'local', '+05:30', 'GMT+3', 'UTC+3', 'Etc/GMT+15', 'Mars/Olympus', 'x'.repeat(10_000)])(
    'to %s is null, because nothing is near or only something with another meaning',
    (written) => {
      expect(nearZone(written)).toBeNull();
    },
  );
});
