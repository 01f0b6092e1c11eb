import { nextPeriodStart, type Day, type Instant } from '@laurel/calendar';
import type { StreakAtRisk, StreakDefinition } from '@laurel/kernel';
import { firstInstantAt, shownBy } from '@laurel/ports/fixtures';
import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import { CLOCKS } from '../testing/stories.ts';
import { RulesStory } from '../testing/rules-story.ts';
import { definitionOf, instantOf } from '../testing/streak-story.ts';
import { streaksRules } from './streaks.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const SWEEP_MS = 20_000;
interface Life {
  readonly zone: string;
  readonly definition: StreakDefinition;
  /** Minutes of the day. */
  readonly atRisk: number;
  /** Ascending. */
  readonly events: readonly { readonly at: Instant; readonly value: number }[];
  /** Excused before anything happened. */
  readonly excused: { readonly from: Day; readonly to: Day } | null;
  /** No sweep comes within it. */
  readonly silence: { readonly from: Instant; readonly to: Instant };
  readonly until: Instant;
}

/** Weeks around a change of clocks: in spring and in autumn of both hemispheres. */
const lives: fc.Arbitrary<Life> = fc
  .record({
    zone: fc.constantFrom(...CLOCKS),
    start: fc.constantFrom(
      ...['2024-03-02', '2024-10-01', '2024-04-01', '2024-09-04', '2011-12-20'].map((day) =>
        instantOf(`${day}T00:00:00Z`),
      ),
    ),
    frequency: fc.constantFrom('daily' as const, 'daily' as const, 'weekly' as const, 'monthly' as const),
    freezes: fc.constantFrom(0, 0, 1, 3),
    atRisk: fc.constantFrom(18 * 60, 0, 23 * 60 + 59, 2 * 60 + 30, 30, 9 * 60),
    threshold: fc.constantFrom(1, 1, 3),
    gaps: fc.array(
      fc.record({
        hours: fc.double({ min: 0.01, max: 30, noNaN: true }),
        value: fc.constantFrom(1, 1, 2, 5),
        pause: fc.boolean(),
      }),
      { minLength: 4, maxLength: 40 },
    ),
    excused: fc.option(fc.record({ after: fc.integer({ min: 2, max: 20 }), days: fc.integer({ min: 1, max: 9 }) })),
    silence: fc.record({ after: fc.nat(30), hours: fc.double({ min: 0, max: 40, noNaN: true }) }),
  })
  .map(({ zone, start, frequency, freezes, atRisk, threshold, gaps, excused, silence }) => {
    const given = freezes === 0 ? null : { initial: freezes, max: 3, earnEvery: null, earn: null };
    let at = start;
    const slower = frequency === 'daily' ? 1 : 3;
    const events = gaps.map(({ hours, value, pause }) => {
      at += Math.floor(hours * slower * HOUR_MS) + (pause ? 0 : 1);
      return { at, value };
    });
    const from = Math.floor(start / DAY_MS) + (excused?.after ?? 0);
    const quiet = start + silence.after * DAY_MS;
    return {
      zone,
      atRisk,
      events,
      definition: definitionOf({ frequency, conditions: { steps: threshold }, freezes: given }),
      excused: excused === null ? null : { from, to: from + excused.days },
      silence: { from: quiet, to: quiet + silence.hours * HOUR_MS },
      until: at + 70 * DAY_MS,
    };
  });

/** Sweeps come every 20 seconds, also at the instant of an event; what has fallen due is settled by the first of them. */
const sweepFor = (due: Instant, { silence }: Life): Instant => {
  const tick = Math.ceil(due / SWEEP_MS) * SWEEP_MS;
  return tick >= silence.from && tick < silence.to ? Math.ceil(silence.to / SWEEP_MS) * SWEEP_MS : tick;
};

/** What the rules emit in this life, under their own due instants. */
function reminded(life: Life): readonly StreakAtRisk[] {
  const story = new RulesStory(life.definition, life.zone, life.atRisk);
  const emitted: StreakAtRisk[] = [];
  const tell: RulesStory['when'] = (happening) => {
    const effects = story.when(happening);
    for (const effect of effects) if (effect.type === 'StreakAtRisk') emitted.push(effect);
    return effects;
  };
  const sweepUntil = (at: Instant) => {
    for (;;) {
      const due = streaksRules.dueAt?.(story.state, story.plan) ?? null;
      if (due === null || sweepFor(due, life) >= at) return;
      tell({ kind: 'UserSwept', at: sweepFor(due, life) });
    }
  };
  const { excused, events, until } = life;
  const date = (day: Day) => new Date(day * DAY_MS).toISOString().slice(0, 10);
  if (excused !== null)
    tell({
      kind: 'GrantRecorded',
      at: (events[0] as { at: Instant }).at,
      grant: { kind: 'excused', from: date(excused.from), to: date(excused.to) },
    });
  for (const { at, value } of events) {
    sweepUntil(at);
    tell({ kind: 'MetricEventRecorded', at, value });
  }
  sweepUntil(until);
  return emitted;
}

const dayIsShown = (day: Day, zone: string) => shownBy(firstInstantAt(day, 0, zone), zone).day === day;

/** Whom to remind when, counted period by period as the specification says it, knowing all events beforehand. */
function recounted(life: Life): readonly string[] {
  const { zone, definition, events, excused, atRisk, until } = life;
  const { period: rule, conditions } = definition;
  const threshold = Number(conditions[0]?.threshold) / 1_000_000;
  const startOf = (day: Day): Day => {
    const date = new Date(day * DAY_MS);
    if (rule.frequency === 'daily') return day;
    if (rule.frequency === 'weekly') return day - ((date.getUTCDay() + 6) % 7);
    return day - (date.getUTCDate() - 1);
  };
  const dated = events.map((event) => ({ ...event, period: startOf(shownBy(event.at, zone).day) }));
  const sumBy = (period: Day, at: Instant) =>
    dated.reduce((sum, event) => (event.period === period && event.at <= at ? sum + event.value : sum), 0);
  const isExcused = (first: Day, last: Day) => excused !== null && excused.from <= first && excused.to >= last;
  const lines: string[] = [];
  let length = 0;
  let freezes = definition.freezes?.initial ?? 0;
  const first = dated[0]?.period ?? 0;
  for (let period = first; ; period = nextPeriodStart(period, rule)) {
    const last = nextPeriodStart(period, rule) - 1;
    const end = firstInstantAt(last + 1, 0, zone);
    if (end > until - 2 * DAY_MS) return lines;
    if (rule.frequency === 'daily' && !dayIsShown(period, zone)) continue;
    if (length > 0 && !isExcused(period, last)) {
      const due = firstInstantAt(last, atRisk, zone);
      const event = events.find(({ at }) => at >= due)?.at ?? Infinity;
      const settled = Math.min(sweepFor(due, life), event);
      if (settled < end && settled - due <= HOUR_MS && sumBy(period, settled) < threshold)
        lines.push(
          `${new Date(due).toISOString()} ${length} freezes ${freezes} missing ${threshold - sumBy(period, settled)}`,
        );
    }
    if (sumBy(period, Infinity) >= threshold) length += 1;
    else if (length > 0 && !isExcused(period, last)) {
      if (freezes > 0) freezes -= 1;
      else length = 0;
    }
  }
}

describe('reminders of a period that is not met', () => {
  it("are sent once, at the time of day in the user's zone, unless it is met or excused or no streak is at risk", async () => {
    let count = 0;
    await assertCovering(
      fc.property(lives, (life) => {
        const cut = life.until - 2 * DAY_MS;
        const lines = reminded(life)
          .filter(({ expiresAt }) => expiresAt <= cut)
          .map(({ at, length, held, missing }) => {
            return `${new Date(at).toISOString()} ${length} freezes ${held} missing ${Number(missing[0]?.amount) / 1_000_000}`;
          });
        count += lines.length;
        expect(lines).toEqual(recounted(life));
      }),
      { numRuns: 60 },
      () => ({ count: count > 20 }),
    );
  });

  it('are not sent and leave no state if the configuration does not request them', () => {
    const story = new RulesStory();
    story.when({ kind: 'MetricEventRecorded', at: instantOf('2024-03-01T12:00:00Z') });
    expect(streaksRules.dueAt?.(story.state, story.plan)).toBe(instantOf('2024-03-03T00:00:00Z'));
    expect(story.when({ kind: 'UserSwept', at: instantOf('2024-03-02T18:00:00Z') })).toEqual([]);
    expect(streaksRules.encode(story.state, story.plan)).not.toHaveProperty('reminded');
  });

  it('are dropped if the next event meets the period, and are not sent late', () => {
    const story = new RulesStory(definitionOf(), 'UTC', 18 * 60);
    story.when({ kind: 'MetricEventRecorded', at: instantOf('2024-03-01T12:00:00Z') });
    const extended = story.when({ kind: 'MetricEventRecorded', at: instantOf('2024-03-02T18:00:05Z') });
    expect(extended.map(({ type }) => type)).toEqual(['StreakExtended']);
    expect(streaksRules.dueAt?.(story.state, story.plan)).toBe(instantOf('2024-03-03T18:00:00Z'));
    expect(story.when({ kind: 'UserSwept', at: instantOf('2024-03-03T19:00:01Z') })).toEqual([]);
    expect(streaksRules.dueAt?.(story.state, story.plan)).toBe(instantOf('2024-03-04T00:00:00Z'));
  });

  it('leave no trace in the state once the period is met', () => {
    const [met, due, extended] = ['2024-03-01T12:00:00Z', '2024-03-02T18:00:00Z', '2024-03-02T18:00:05Z'].map(
      instantOf,
    );
    const [found, passedBy] = [true, false].map((isFound) => {
      const story = new RulesStory(definitionOf(), 'UTC', 18 * 60);
      story.when({ kind: 'MetricEventRecorded', at: met as Instant });
      if (isFound) {
        const effects = story.when({ kind: 'UserSwept', at: due as Instant });
        expect(effects.map(({ type }) => type)).toEqual(['StreakAtRisk']);
        expect(streaksRules.encode(story.state, story.plan)).toHaveProperty('reminded');
      }
      story.when({ kind: 'MetricEventRecorded', at: extended as Instant });
      return streaksRules.encode(story.state, story.plan);
    });
    expect(found).toEqual(passedBy);
  });
});
