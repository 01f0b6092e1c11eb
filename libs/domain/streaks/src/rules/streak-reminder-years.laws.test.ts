import type { Day, Instant } from '@laurel/calendar';
import { firstInstantAt, shownBy } from '@laurel/ports/fixtures';
import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import { RulesStory, type StoryEvent } from '../testing/rules-story.ts';
import { CLOCKS } from '../testing/stories.ts';
import { definitionOf, type DefinitionGiven } from '../testing/streak-story.ts';
import { streaksRules } from './streaks.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

interface Year {
  readonly definition: DefinitionGiven & { readonly conditions: { readonly steps: number } };
  /** Minutes of the day. */
  readonly atRisk: number;
  /** Ascending; the first says where the user lives. */
  readonly happenings: readonly StoryEvent[];
  readonly until: Instant;
}

const dateOf = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The next thing in a life, so long after the one before. */
const steps = fc.oneof(
  { weight: 30, arbitrary: fc.record({ kind: fc.constant('met' as const), hours: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('met' as const), hours: fc.integer({ min: 40, max: 200 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('half' as const), hours: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('travel' as const, 'call' as const),
      hours: fc.integer({ min: 0, max: 40 }),
      tz: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('streak' as const), hours: fc.integer({ min: 1, max: 60 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('excused' as const),
      hours: fc.integer({ min: 1, max: 30 }),
      after: fc.integer({ min: 2, max: 5 }),
      days: fc.integer({ min: 0, max: 16 }),
    }),
  },
);

/** Whole years, each with both changes of clocks, of people who travel among at most three zones. */
const years: fc.Arbitrary<Year> = fc
  .record({
    clocks: fc.tuple(fc.constantFrom(...CLOCKS), fc.constantFrom(...CLOCKS), fc.constantFrom(...CLOCKS)),
    start: fc.constantFrom('2024-01-05T07:13:00Z', '2024-06-20T19:00:00Z', '2011-07-02T11:59:00Z').map(Date.parse),
    frequency: fc.constantFrom('daily' as const, 'daily' as const, 'weekly' as const, 'monthly' as const),
    weekStart: fc.constantFrom('monday' as const, 'sunday' as const),
    freezes: fc.constantFrom(0, 0, 2, 5),
    atRisk: fc.constantFrom(18 * 60, 0, 2 * 60 + 30),
    told: fc.array(steps, { minLength: 20, maxLength: 60 }),
  })
  .map(({ clocks, start, frequency, weekStart, freezes, atRisk, told }) => {
    const slower = { daily: 3, weekly: 4, monthly: 5 }[frequency];
    let at = start;
    const happenings: StoryEvent[] = [{ kind: 'MetricEventRecorded', at, value: 2, tz: clocks[0] }];
    for (const step of told) {
      // A life of so few days is spread over the year: long quiet stretches between busy ones.
      at += step.hours * (happenings.length % 4 === 0 ? slower * 7 : 1) * HOUR_MS + 17 * MINUTE_MS;
      happenings.push(happeningOf(step, at, clocks));
    }
    return {
      atRisk,
      happenings,
      until: Math.max(at + 70 * DAY_MS, start + 366 * DAY_MS),
      definition: {
        frequency,
        weekStart,
        conditions: { steps: 2 },
        freezes: freezes === 0 ? null : { initial: freezes, max: 5, earnEvery: null, earn: null },
      },
    };
  });

type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;

function happeningOf(step: Step, at: Instant, clocks: readonly string[]): StoryEvent {
  switch (step.kind) {
    case 'met':
    case 'half':
      return { kind: 'MetricEventRecorded', at, value: step.kind === 'met' ? 2 : 1 };
    case 'travel':
      return { kind: 'MetricEventRecorded', at, value: 1, tz: clocks[step.tz] as string };
    case 'call':
      return { kind: 'UserIdentified', at, tz: clocks[step.tz] as string };
    case 'streak':
      return { kind: 'GrantRecorded', at, grant: { kind: 'streak' } };
    case 'excused': {
      const from = Math.floor(at / DAY_MS) + step.after;
      return {
        kind: 'GrantRecorded',
        at,
        grant: { kind: 'excused', from: dateOf(from), to: dateOf(from + step.days) },
      };
    }
  }
}

/** What the rules emit if a sweep comes at each due instant. */
function reminded({ definition, atRisk, happenings, until }: Year): readonly string[] {
  const [{ tz }] = happenings as [StoryEvent];
  const story = new RulesStory(definitionOf(definition), tz, atRisk);
  const lines: string[] = [];
  const tell = (happening: StoryEvent) => {
    for (const effect of story.when(happening))
      if (effect.type === 'StreakAtRisk')
        lines.push(inWords(effect.at, dateOf(effect.period), effect.length, Number(effect.missing[0]?.amount) / 1e6));
  };
  const sweepUntil = (at: Instant) => {
    for (;;) {
      const due = streaksRules.dueAt?.(story.state, story.plan) ?? null;
      if (due === null || due >= at) return;
      tell({ kind: 'UserSwept', at: due });
    }
  };
  for (const happening of happenings) {
    sweepUntil(happening.at);
    tell(happening);
  }
  sweepUntil(until);
  return lines;
}

const inWords = (at: Instant, period: string, length: number, missing: number): string =>
  `${new Date(at).toISOString()} of ${period}: length ${length}, missing ${missing}`;

const instants = new Map<string, Instant>();

function firstAt(date: Day, minutes: number, zone: string): Instant {
  const key = `${date} ${minutes} ${zone}`;
  const known = instants.get(key) ?? firstInstantAt(date, minutes, zone);
  instants.set(key, known);
  return known;
}

const shownDates = new Map<string, boolean>();

function isShown(date: Day, zone: string): boolean {
  const key = `${date} ${zone}`;
  const known = shownDates.get(key) ?? shownBy(firstAt(date, 0, zone), zone).day === date;
  shownDates.set(key, known);
  return known;
}

const dateAt = (at: Instant, zone: string): Day => shownBy(at, zone).day;

/** By the calendar of UTC, each named by its first date. */
class Periods {
  readonly #frequency: string;
  readonly #weekStart: number;

  constructor({ frequency = 'daily', weekStart = 'monday' }: DefinitionGiven) {
    this.#frequency = frequency;
    this.#weekStart = weekStart === 'sunday' ? 0 : 1;
  }

  of(date: Day): Day {
    const on = new Date(date * DAY_MS);
    if (this.#frequency === 'monthly') return date - on.getUTCDate() + 1;
    return this.#frequency === 'weekly' ? date - ((on.getUTCDay() + 7 - this.#weekStart) % 7) : date;
  }

  last(period: Day): Day {
    const on = new Date(period * DAY_MS);
    if (this.#frequency === 'monthly') return Date.UTC(on.getUTCFullYear(), on.getUTCMonth() + 1, 0) / DAY_MS;
    return this.#frequency === 'weekly' ? period + 6 : period;
  }

  /** The next one that has a date which the clock shows. */
  after(period: Day, zone: string): Day {
    let next = this.last(period) + 1;
    while (this.#frequency === 'daily' && !isShown(next, zone)) next += 1;
    return next;
  }

  /** When the period behind this one is over. */
  endAfter(period: Day, zone: string): Instant {
    return firstAt(this.last(this.after(period, zone)) + 1, 0, zone);
  }
}

interface Kept {
  readonly length: number;
  /** The last period that was met or bridged. */
  readonly last: Day;
  readonly zoneAtMet: string;
  readonly alive: boolean;
}

/**
 * Whom to remind when, by looking at each happening, and at the time of reminders on every date of the year in each zone that the user
 * ever lives in, as the specification says it (sections 4 and 9.21).
 */
function recounted({ definition, atRisk, happenings, until }: Year): readonly string[] {
  const periods = new Periods(definition);
  const zones = [...new Set(happenings.flatMap(({ tz }) => tz ?? []))];
  const [first] = happenings as [StoryEvent];
  const looks: { readonly at: Instant; readonly happening: StoryEvent | null }[] = happenings.map((happening) => ({
    at: happening.at,
    happening,
  }));
  for (let date = Math.floor(first.at / DAY_MS) - 2; date <= Math.floor(until / DAY_MS) + 2; date++)
    for (const zone of zones) looks.push({ at: firstAt(date, atRisk, zone), happening: null });
  looks.sort((one, other) => one.at - other.at || Number(one.happening === null) - Number(other.happening === null));

  const lines: string[] = [];
  const excused = new Set<Day>();
  let zone = first.tz as string;
  let streak = null as Kept | null;
  let freezes = definition.freezes?.initial ?? 0;
  let reached = -Infinity;
  let sum = 0;
  let told = -Infinity;
  const isExcused = (period: Day) => {
    for (let date = period; date <= periods.last(period); date++) if (!excused.has(date)) return false;
    return true;
  };
  const endOf = (of: Kept): Instant =>
    Math.max(periods.endAfter(of.last, zone), periods.endAfter(of.last, of.zoneAtMet));
  const passEnds = (now: Instant) => {
    while (streak?.alive && endOf(streak) <= now) {
      const next = periods.after(streak.last, zone);
      if (isExcused(next)) streak = { ...streak, last: next };
      else if (freezes > 0) [freezes, streak] = [freezes - 1, { ...streak, last: next }];
      else streak = { ...streak, alive: false };
    }
  };
  const currentAt = (now: Instant): Day => Math.max(reached, periods.of(dateAt(now, zone)));

  for (const { at, happening } of looks) {
    if (at < first.at || at >= until) continue;
    passEnds(at);
    if (happening?.tz !== undefined && happening.tz !== zone) {
      zone = happening.tz;
      // A streak that had ended lives again if its end lies ahead on the new clock.
      if (streak !== null && endOf(streak) > at) streak = { ...streak, alive: true };
      passEnds(at);
    }
    if (happening?.kind === 'MetricEventRecorded') {
      const period = currentAt(at);
      sum = (period === reached ? sum : 0) + (happening.value as number);
      reached = period;
      const isOpen = streak === null || period > streak.last;
      if (isOpen && sum >= definition.conditions.steps)
        streak = { length: streak?.alive ? streak.length + 1 : 1, last: period, zoneAtMet: zone, alive: true };
    }
    const grant = happening?.grant;
    if (grant?.kind === 'streak' && streak?.alive === false) {
      const before = periods.of(currentAt(at) - 1);
      streak = { ...streak, last: Math.max(before, streak.last), zoneAtMet: zone, alive: true };
    }
    if (grant?.kind === 'excused')
      for (let date = Date.parse(grant.from) / DAY_MS; date <= Date.parse(grant.to) / DAY_MS; date++) excused.add(date);
    if (!streak?.alive) continue;
    const period = periods.after(streak.last, zone);
    if (period <= told || isExcused(period)) continue;
    const end = endOf(streak);
    const lastDate = dateAt(end - 1, zone);
    const dueThen = firstAt(lastDate, atRisk, zone);
    const due = dueThen < end ? dueThen : firstAt(lastDate - 1, atRisk, zone);
    if (due > at) continue;
    told = period;
    const missing = definition.conditions.steps - (reached === currentAt(at) ? sum : 0);
    if (at - due <= HOUR_MS) lines.push(inWords(due, dateOf(currentAt(at)), streak.length, Math.max(0, missing)));
  }
  return lines;
}

/**
 * Reminders that name the same period as the one before, though none is due to it. One is if the reminder before was of the period before:
 * the clock showed the next one already, but on the clock where the streak was met last that one was not over.
 */
function namedAgain(lines: readonly string[]): readonly string[] {
  const named = lines.map((line) => {
    const [, at, period] = /^(\S+) of (\S+):/.exec(line) as unknown as [string, string, string];
    return { line, at: Date.parse(at), period };
  });
  return named.flatMap(({ line, period }, place) => {
    const before = named[place - 1];
    if (before?.period !== period) return [];
    const wasOnItsFirstDate = before.at - Date.parse(period) < DAY_MS + 12 * HOUR_MS;
    return wasOnItsFirstDate && named[place - 2]?.period !== period ? [] : [line];
  });
}

describe('reminders over a year with both clock changes and travel', () => {
  it('are sent once per period that is not met, and at no other time', async () => {
    let count = 0;
    await assertCovering(
      fc.property(years, (year) => {
        const lines = reminded(year);
        count += lines.length;
        expect(lines).toEqual(recounted(year));
        expect(namedAgain(lines)).toEqual([]);
      }),
      { numRuns: 100 },
      () => ({ count: count > 200 }),
    );
  });
});

describe.each(CLOCKS)('a year in %s with a metric event every other day', (zone) => {
  it.each([
    ['18:00', 18 * 60],
    ['02:30, which a clock change skips or repeats', 2 * 60 + 30],
  ])('has one reminder at %s on each date without an event, and no others', (_, atRisk) => {
    const first = Date.parse('2024-01-05') / DAY_MS;
    const dates = Array.from({ length: 366 }, (_, day) => first + day);
    for (const met of [0, 1]) {
      const [there, away] = [met, 1 - met].map((rest) => dates.filter((date) => date % 2 === rest)) as [Day[], Day[]];
      const happenings = there.map((date): StoryEvent => ({
        kind: 'MetricEventRecorded',
        at: firstAt(date, 12 * 60, zone),
        value: 2,
        tz: zone,
      }));
      const until = firstAt((dates.at(-1) as Day) + 1, 0, zone);
      const definition = { frequency: 'daily', conditions: { steps: 2 }, freezes: null } as const;
      const began = there[0] as Day;
      expect(reminded({ definition, atRisk, happenings, until })).toEqual(
        away.filter((date) => date > began).map((date) => inWords(firstAt(date, atRisk, zone), dateOf(date), 1, 2)),
      );
    }
  });
});
