import { ago } from './format.ts';

const NOW = Date.parse('2026-11-25T03:00:00Z');

describe('the age of an event', () => {
  it.each([
    ['2026-11-25T02:59:59.500Z', 'now'],
    ['2026-11-25T02:59:30Z', '30 seconds ago'],
    ['2026-11-25T02:00:20Z', '59 minutes ago'],
    ['2026-11-24T03:20:00Z', '23 hours ago'],
    ['2026-11-23T21:00:00Z', '1 day ago'],
    ['2026-11-25T03:05:30Z', 'in 5 minutes'],
    ['2026-10-01T00:00:00Z', '2026-10-01'],
  ])('from %s is shown as %j', (instant, words) => expect(ago(instant, NOW)).toBe(words));
});
