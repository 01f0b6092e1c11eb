import {
  formatDay,
  parseDay,
  periodOf,
  periodsEndingWith,
  type Instant,
  type LocalDate,
  type Period,
} from '@laurel/calendar';
import {
  perConfiguration,
  type ConfigurationHistory,
  type SqlReader,
  type StateReader,
  type StreakView,
  type Subject,
  type UserRef,
} from '@laurel/kernel';
import type { StreakLength, StreakPeriod, StreakReads, StreakSurvival } from '@laurel/ports';
import { isExcused } from './rules/excused-days.ts';
import { effectsOfTime, settledAt, viewStreak } from './rules/streak-view.ts';
import type { StreakRules, StreaksPlan } from './rules/streaks-plan.ts';
import { currentPeriod, streaksRules } from './rules/streaks.ts';
import type { StreaksState } from './rules/streaks-state.ts';
import { keptPeriods, type KeptPeriod, type PassedOver } from './tables.ts';

/** A period that did not end the streak. */
export interface KeptStreakPeriod {
  readonly periodStart: LocalDate;
  readonly length: number;
}

/**
 * A period of a streak's history, and why it did not have to be met (null if it was met, bridged or missed). An excused
 * period without a streak has no length.
 */
export interface TracedStreakPeriod extends StreakPeriod {
  readonly passedOver: PassedOver | null;
}

interface PeriodRow {
  readonly period_start: LocalDate;
  readonly length: number;
  readonly used_freeze: boolean;
  readonly passed_over: PassedOver | null;
}

const SELECT_PERIODS = `
  select period_start::text as period_start, length, used_freeze, passed_over
    from streak_periods
   where subject = $1 and generation = $2`;

const PERIODS_WITHIN = `${SELECT_PERIODS} and period_start between $3 and $4`;
const ALL_PERIODS = `${SELECT_PERIODS} order by period_start`;

const FIRST_PERIOD = `
  select min(period_start)::text as period_start from streak_periods where subject = $1 and generation = $2`;

const LENGTH_COUNTS = `
  select length, sum(reached) as reached, sum(ended) as ended from streak_length_counts
   where account = $1 and generation = $2 and length between 1 and $3
   group by length having sum(reached) <> 0 or sum(ended) <> 0 order by length`;

const LONGEST = `
  select length from streak_length_counts where account = $1 and generation = $2
   group by length having sum(reached) <> 0 order by length desc limit 1`;

const planOf = perConfiguration((configuration) => streaksRules.compile(configuration));

export class StreakQueries implements StreakReads {
  readonly #sql: SqlReader;
  readonly #states: StateReader;
  readonly #configurationOf: (account: string) => ConfigurationHistory;

  constructor(sql: SqlReader, states: StateReader, configurationOf: (account: string) => ConfigurationHistory) {
    this.#sql = sql;
    this.#states = states;
    this.#configurationOf = configurationOf;
  }

  async view(account: string, subject: Subject, at: Instant): Promise<StreakView> {
    const plan = this.#planOf(account);
    return viewStreak(await this.#state(account, subject, plan), at, plan);
  }

  async lengths(
    account: string,
    subjects: readonly Subject[],
    at: Instant,
  ): Promise<ReadonlyMap<Subject, StreakLength>> {
    const plan = this.#planOf(account);
    const states = await this.#states.readAll(account, subjects, 'streaks');
    return new Map(
      [...states].map(([subject, state]) => [subject, viewStreak(streaksRules.decode(state, plan), at, plan)]),
    );
  }

  history(account: string, subject: Subject, at: Instant, periods: number): Promise<readonly StreakPeriod[]> {
    return this.historyTo({ account, subject }, at, null, periods);
  }

  /** Like {@link history}, but ends with the period that holds `date`; null for the current period. */
  async historyTo(
    { account, subject }: UserRef,
    at: Instant,
    date: LocalDate | null,
    periods: number,
  ): Promise<readonly TracedStreakPeriod[]> {
    const plan = this.#planOf(account);
    if (plan.rules === null) return [];
    const { generation, period: rule } = plan.rules;
    const { current, bridged, excused, zone } = settled(await this.#state(account, subject, plan), at, plan.rules);
    const wanted = periodsEndingWith(periodOf(date ?? current, rule), periods, rule);
    const bounds = [wanted[0]?.start, wanted.at(-1)?.start];
    const rows = await this.#sql.query<PeriodRow>(PERIODS_WITHIN, [subject, generation, ...bounds]);
    return withLengths(wanted, [...rows.map(keptPeriod), ...bridged]).map((period) =>
      period.length === 0 && isExcused(excused, parseDay(period.periodStart), rule, zone)
        ? { ...period, passedOver: 'excused' }
        : period,
    );
  }

  /**
   * Every kept period of the present generation as of `at`, by `periodStart`. Includes periods bridged by freezes that
   * no record has settled yet. Empty without a streak configured.
   */
  async allPeriods(account: string, subject: Subject, at: Instant): Promise<readonly KeptStreakPeriod[]> {
    const plan = this.#planOf(account);
    if (plan.rules === null) return [];
    const { bridged } = settled(await this.#state(account, subject, plan), at, plan.rules);
    const rows = await this.#sql.query<PeriodRow>(ALL_PERIODS, [subject, plan.rules.generation]);
    const kept = [...rows.map(keptPeriod), ...bridged];
    return kept.map(({ start, length }) => ({ periodStart: start, length }));
  }

  /** The first period of the present generation that the user has kept; null if there is none. */
  async firstKept(account: string, subject: Subject): Promise<LocalDate | null> {
    const { rules } = this.#planOf(account);
    if (rules === null) return null;
    const [row] = await this.#sql.query<{ period_start: LocalDate | null }>(FIRST_PERIOD, [subject, rules.generation]);
    return row?.period_start ?? null;
  }

  /** Two statements. */
  async survival(account: string, most: number): Promise<StreakSurvival> {
    const { rules } = this.#planOf(account);
    if (rules === null) return { lengths: [], longest: 0 };
    const of = [account, rules.generation];
    const [rows, [last]] = await Promise.all([
      this.#sql.query<{ length: number; reached: string; ended: string }>(LENGTH_COUNTS, [...of, most]),
      this.#sql.query<{ length: number }>(LONGEST, of),
    ]);
    const lengths = rows.map(({ length, reached, ended }) => ({
      length,
      reached: Number(reached),
      ended: Number(ended),
    }));
    return { lengths, longest: last?.length ?? 0 };
  }

  #planOf(account: string): StreaksPlan {
    return planOf(this.#configurationOf(account).current);
  }

  async #state(account: string, subject: Subject, plan: StreaksPlan): Promise<StreaksState> {
    const stored = await this.#states.read(account, subject, 'streaks');
    return stored === null || stored === undefined ? streaksRules.initial(plan) : streaksRules.decode(stored, plan);
  }
}

/** The current period at an instant, and the unrecorded periods that freezes have bridged by then. */
function settled(state: StreaksState, at: Instant, rules: StreakRules) {
  const out = effectsOfTime(state, at);
  const after = settledAt(state, at, rules, out);
  const current = formatDay(currentPeriod(after, at, rules));
  return { current, effects: out.effects, bridged: keptPeriods(out.effects), ...after };
}

function keptPeriod({ period_start, length, used_freeze, passed_over }: PeriodRow): KeptPeriod {
  return { start: period_start, length, usedFreeze: used_freeze, passedOver: passed_over };
}

function withLengths(periods: readonly Period[], kept: readonly KeptPeriod[]): readonly TracedStreakPeriod[] {
  const byStart = new Map(kept.map((period) => [period.start, period]));
  return periods.map(({ start, end }) => {
    const { length = 0, usedFreeze = false, passedOver = null } = byStart.get(start) ?? {};
    return { periodStart: start, periodEnd: end, length, usedFreeze, passedOver };
  });
}
