import { createHash } from 'node:crypto';
import { localDate, type Instant } from '@laurel/calendar';
import { demoHistory, type DemoEvent } from './demo-history.ts';

/** The default history of `laurel demo` on 21 November 2026 by the service's clock; docs/guides/tour.md shows its results. */
const HISTORY = demoHistory({ seed: 1, users: 300, days: 60, until: Date.parse('2026-11-21T00:00:00Z') });

const sum = (events: readonly DemoEvent[]): number => events.reduce((total, { value }) => total + value, 0);
const of = (metric: string) => HISTORY.filter((event) => event.metric === metric);

describe('the demo in the tour', () => {
  it('is the same on every machine', () => {
    expect({
      events: HISTORY.length,
      users: new Set(HISTORY.map(({ user }) => user.id)).size,
      lessons: sum(of('lessons')),
      words: sum(of('words')),
      changesOfZone: HISTORY.filter(({ user }) => user.tz !== undefined && user.name === undefined).length,
    }).toEqual({ events: 24_556, users: 300, lessons: 13_259, words: 101_640, changesOfZone: 125 });
    expect(createHash('sha256').update(JSON.stringify(HISTORY)).digest('hex')).toBe(
      'aa632cd85b3dc6bdf98a70bb8d925c784eaa67e22642c55f88067732cf7b4125',
    );
  });

  it('contains regular users, users who gave up or came back, and night owls', () => {
    const days = new Map<string, Set<string>>();
    const hours = new Map<string, Set<number>>();
    const zones = new Map<string, string>();
    for (const { user, timestamp } of HISTORY) {
      const zone = user.tz ?? zones.get(user.id) ?? 'UTC';
      zones.set(user.id, zone);
      const at: Instant = Date.parse(timestamp);
      days.set(user.id, (days.get(user.id) ?? new Set()).add(localDate(at, zone)));
      hours.set(user.id, (hours.get(user.id) ?? new Set()).add(hourOf(at, zone)));
    }
    const counts = [...days.values()].map(({ size }) => size);
    const share = (of: (dates: readonly string[]) => boolean) =>
      [...days.values()].filter((dates) => of([...dates])).length / days.size;
    expect(new Set(zones.values()).size).toBe(12);
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(57);
    expect(Math.min(...counts)).toBe(1);
    // Gave up: nothing in the last three weeks. Came back: two weeks without anything between two dates.
    expect(share((dates) => (dates.at(-1) ?? '') < '2026-10-31')).toBeGreaterThan(0.05);
    expect(share((dates) => longestGap(dates) >= 14)).toBeGreaterThan(0.03);
    const nightOwls = [...hours.values()].filter((all) => all.has(23) && all.has(0));
    expect(nightOwls.length).toBeGreaterThan(10);
  });
});

const formats = new Map<string, Intl.DateTimeFormat>();
const hourFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone });

function hourOf(at: Instant, zone: string): number {
  const format = formats.get(zone) ?? hourFormat(zone);
  formats.set(zone, format);
  return Number(format.format(at));
}

function longestGap(dates: readonly string[]): number {
  const days = dates.map((date) => Date.parse(date) / 86_400_000);
  return Math.max(0, ...days.slice(1).map((day, index) => day - (days[index] ?? day)));
}
