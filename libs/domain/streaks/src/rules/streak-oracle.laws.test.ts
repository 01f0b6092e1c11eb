import { dateExists, endOfDate, localDate, nextPeriod, periodOf, type Instant, type Period } from '@laurel/calendar';
import type { StreakDefinition, StreakView } from '@laurel/kernel';
import fc from 'fast-check';
import { keptPeriods } from '../tables.ts';
import { RulesStory } from '../testing/rules-story.ts';
import { CLOCKS, definitions, records, starts, zones, type Told } from '../testing/stories.ts';
import { instantOf } from '../testing/streak-story.ts';
import { viewStreak } from './streak-view.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const CHANGES = {
  event: 'MetricEventRecorded',
  identified: 'UserIdentified',
  completed: 'AchievementCompletedByCall',
  swept: 'UserSwept',
} as const;

/** L, the last period that was met or bridged, and the streak as of it. */
interface OracleStreak {
  readonly length: number;
  readonly started: string;
  readonly extendedAt: Instant;
  readonly last: Period;
  readonly zoneAtMet: string;
  readonly alive: boolean;
}

/** Section 4 of the specification, sentence by sentence: slow, on dates, and without any code of the rules. */
class Oracle {
  #zone: string;
  #reached: Period | null = null;
  #progress: Readonly<Record<string, number>> = {};
  #streak: OracleStreak | null = null;
  #createdAt: Instant | null = null;
  #held = 0;
  #earnedUpTo: Instant = 0;
  /** Start of a period → the streak's length as of it, if it was met or bridged. */
  kept: Readonly<Record<string, number>> = {};

  constructor(
    readonly definition: StreakDefinition,
    zone: string,
  ) {
    this.#zone = zone;
  }

  when({ kind, metric, value }: Told, at: Instant, zone = this.#zone): void {
    if (this.#createdAt === null) this.#createUser(at);
    this.#passEnds(at);
    if (zone !== this.#zone) this.#travel(zone, at);
    if (kind === 'event') this.#count(metric, value, at);
  }

  /** 4.10 */
  view(at: Instant): StreakView {
    const then = this.#copy();
    then.#passEnds(at);
    then.#earn(at);
    const { start, end } = then.#currentPeriod(at);
    const streak = then.#streak?.alive === true ? then.#streak : null;
    return {
      length: streak?.length ?? 0,
      frequency: this.definition.frequency,
      started: streak && streak.started,
      periodStart: start,
      periodEnd: end,
      expires: streak && localDate(then.#endOf(streak) - 1, then.#zone),
      extendedAt: streak && streak.extendedAt,
      ...(this.definition.freezes !== null && { freezes: then.#held }),
    };
  }

  #copy(): Oracle {
    const copy = new Oracle(this.definition, this.#zone);
    copy.#reached = this.#reached;
    copy.#progress = this.#progress;
    copy.#streak = this.#streak;
    copy.#createdAt = this.#createdAt;
    copy.#held = this.#held;
    copy.#earnedUpTo = this.#earnedUpTo;
    copy.kept = this.kept;
    return copy;
  }

  /** 4.8: a user holds `initial` freezes at their creation. */
  #createUser(at: Instant): void {
    this.#createdAt = this.#earnedUpTo = at;
    this.#held = this.definition.freezes?.initial ?? 0;
  }

  /** 4.8: they earn `earn` more every `earnEvery` × 24 hours from then, never above `max`. */
  #earn(upTo: Instant): void {
    const { max = 0, earnEvery = null, earn = null } = this.definition.freezes ?? {};
    if (this.#createdAt === null || earnEvery === null || earn === null) return;
    for (; this.#earnedUpTo + earnEvery * DAY_MS <= upTo; this.#earnedUpTo += earnEvery * DAY_MS)
      this.#held = Math.max(this.#held, Math.min(max, this.#held + earn));
  }

  /** 4.6: E is the later of the ends of the period after L, on the present clock and on the one when a period was last met. */
  #endOf({ last, zoneAtMet }: OracleStreak): Instant {
    return Math.max(...[this.#zone, zoneAtMet].map((zone) => endOfDate(this.#periodAfter(last, zone).end, zone)));
  }

  /** 4.6: a date that the clock never showed is passed over. */
  #periodAfter(period: Period, zone: string): Period {
    let next = nextPeriod(period, this.definition.period);
    if (this.definition.frequency === 'daily')
      while (!dateExists(next.start, zone)) next = nextPeriod(next, this.definition.period);
    return next;
  }

  /** 4.8, 4.9: at each E a freeze is used, if one is held then; otherwise the streak ends. */
  #passEnds(upTo: Instant): void {
    for (let streak = this.#streak; streak?.alive === true && this.#endOf(streak) <= upTo; streak = this.#streak) {
      this.#earn(this.#endOf(streak));
      if (this.#held < 1) {
        this.#streak = { ...streak, alive: false };
        return;
      }
      this.#held -= 1;
      const bridged = this.#periodAfter(streak.last, this.#zone);
      this.#keep(streak, bridged, streak.length);
      this.#streak = { ...streak, last: bridged };
    }
  }

  /** 4.7: if a change of zone moves E beyond the present instant, a streak that had ended lives again. */
  #travel(zone: string, at: Instant): void {
    this.#zone = zone;
    if (this.#streak?.alive === false && this.#endOf(this.#streak) > at)
      this.#streak = { ...this.#streak, alive: true };
    this.#passEnds(at);
  }

  /** 4.3: it never moves back. */
  #currentPeriod(at: Instant): Period {
    const today = periodOf(localDate(at, this.#zone), this.definition.period);
    return this.#reached !== null && this.#reached.start > today.start ? this.#reached : today;
  }

  /** 4.4, 4.5 */
  #count(metric: string, value: number, at: Instant): void {
    const period = this.#currentPeriod(at);
    if (period.start !== this.#reached?.start) this.#progress = {};
    this.#reached = period;
    this.#progress = { ...this.#progress, [metric]: (this.#progress[metric] ?? 0) + Math.round(value * 1e6) };
    const isLater = this.#streak === null || period.start > this.#streak.last.start;
    if (isLater && this.#areMet()) this.#extend(period, at);
  }

  #areMet(): boolean {
    const { mode, conditions } = this.definition;
    const met = conditions.map(({ metric, threshold }) => BigInt(this.#progress[metric] ?? 0) >= threshold);
    return mode === 'all' ? !met.includes(false) : met.includes(true);
  }

  /** 4.5: by one if it is alive, otherwise it starts again at 1. 4.7: extending it bridges the periods in between. */
  #extend(period: Period, at: Instant): void {
    const before = this.#streak?.alive === true ? this.#streak : null;
    const length = (before?.length ?? 0) + 1;
    const today = localDate(at, this.#zone);
    const started = before?.started ?? (today < period.start ? period.start : today);
    if (before === null) this.kept = { ...this.kept, [period.start]: length };
    else this.#keep(before, period, length);
    this.#streak = { length, started, extendedAt: at, last: period, zoneAtMet: this.#zone, alive: true };
  }

  /** The period, and those between it and L, which keep the length that the streak had. */
  #keep({ last, length: before }: OracleStreak, period: Period, length: number): void {
    const kept: Record<string, number> = { ...this.kept, [period.start]: length };
    for (
      let between = nextPeriod(last, this.definition.period);
      between.start < period.start;
      between = nextPeriod(between, this.definition.period)
    )
      kept[between.start] = before;
    this.kept = kept;
  }
}

const where = fc.oneof(
  zones,
  fc.constantFrom(...CLOCKS, 'Pacific/Kwajalein', 'Pacific/Enderbury', 'Pacific/Pago_Pago'),
);
/** Among others shortly before a clock skipped a date. */
const when = fc.oneof(
  starts,
  fc.constantFrom('1993-08-17T12:00:00Z', '1994-12-28T12:00:00Z', '2011-12-27T00:00:00Z').map(instantOf),
);
const story = fc.record({
  start: when,
  zone: where,
  definition: definitions,
  told: records.map((all) => all.slice(all.findIndex(({ kind }) => kind !== 'swept'))),
  trips: fc.array(where),
  reads: fc.array(fc.nat({ max: 12 * DAY_MS })),
});

describe('the rules of streaks', () => {
  it('follow section 4 of the specification for any sequence of events', () => {
    fc.assert(
      fc.property(story, ({ start, zone, definition, told, trips, reads }) => {
        const rules = new RulesStory(definition, zone);
        const oracle = new Oracle(definition, zone);
        let at = start;
        for (const [place, one] of told.entries()) {
          at += place % 3 === 0 ? one.afterMs : Math.min(one.afterMs, 40 * HOUR_MS);
          const tz = one.kind === 'swept' || one.tz === undefined ? undefined : (trips[place] ?? one.tz);
          const { metric, value } = one;
          const effects = rules.when({ kind: CHANGES[one.kind], at, metric, value, ...(tz !== undefined && { tz }) });
          oracle.when(one, at, tz);
          for (const period of keptPeriods(effects))
            expect([period.start, oracle.kept[period.start]]).toEqual([period.start, period.length]);
          for (const read of [at, at + (reads[place] ?? 0)])
            expect(viewStreak(rules.state, read, rules.plan)).toEqual(oracle.view(read));
        }
      }),
      { numRuns: 600 },
    );
  });
});
