import { periodsEndingWith } from '@laurel/calendar';
import type { Instant, LocalDate, Period } from '@laurel/calendar';
import type {
  ConfigurationHistory,
  SqlReader,
  StateReader,
  StreakDefinition,
  StreakPeriod,
  StreakReads,
  StreakView,
} from '@laurel/contracts';
import type { KeptPeriod } from './rules/kept-period.ts';
import { currentPeriod, readStreak } from './rules/read-streak.ts';
import { settle } from './rules/settle.ts';
import { INITIAL_STATE, inGeneration } from './rules/streak-state.ts';
import type { StreakState } from './rules/streak-state.ts';
import { decodeStreakState } from './state-codec.ts';

/** A period that was met or bridged. */
export interface KeptStreakPeriod {
  readonly periodStart: LocalDate;
  readonly length: number;
}

interface PeriodRow {
  readonly period_start: LocalDate;
  readonly length: number;
  readonly used_freeze: boolean;
}

const SELECT_PERIODS = `
  select period_start::text as period_start, length, used_freeze
    from streak_periods
   where account = $1 and user_id = $2 and generation = $3`;

const PERIODS_WITHIN = `${SELECT_PERIODS} and period_start between $4 and $5`;
const ALL_PERIODS = `${SELECT_PERIODS} order by period_start`;

export class StreakQueries implements StreakReads {
  readonly #sql: SqlReader;
  readonly #states: StateReader;
  readonly #configurationOf: (account: string) => ConfigurationHistory;

  constructor(sql: SqlReader, states: StateReader, configurationOf: (account: string) => ConfigurationHistory) {
    this.#sql = sql;
    this.#states = states;
    this.#configurationOf = configurationOf;
  }

  async view(account: string, userId: string, at: Instant): Promise<StreakView> {
    const definition = this.#definitionOf(account);
    return readStreak(await this.#state(account, userId), at, definition);
  }

  async history(account: string, userId: string, at: Instant, periods: number): Promise<readonly StreakPeriod[]> {
    const definition = this.#definitionOf(account);
    if (definition === null) return [];
    const { state, kept } = settle(inGeneration(await this.#state(account, userId), definition), at, definition);
    const wanted = periodsEndingWith(currentPeriod(state, at, definition), periods, definition.period);
    const rows = await this.#sql.query<PeriodRow>(PERIODS_WITHIN, [
      account,
      userId,
      definition.generation,
      wanted[0]?.start,
      wanted.at(-1)?.start,
    ]);
    return withLengths(wanted, [...rows.map(keptPeriod), ...kept]);
  }

  /**
   * Every period of the present generation that was met or bridged as of `at`, by `periodStart`, those that a freeze has bridged
   * and no record has settled yet included; empty without a streak configured.
   */
  async allPeriods(account: string, userId: string, at: Instant): Promise<readonly KeptStreakPeriod[]> {
    const definition = this.#definitionOf(account);
    if (definition === null) return [];
    const { kept } = settle(inGeneration(await this.#state(account, userId), definition), at, definition);
    const rows = await this.#sql.query<PeriodRow>(ALL_PERIODS, [account, userId, definition.generation]);
    const recorded = rows.map(({ period_start, length }) => ({ periodStart: period_start, length }));
    return [...recorded, ...kept.map(({ start, length }) => ({ periodStart: start, length }))];
  }

  #definitionOf(account: string): StreakDefinition | null {
    return this.#configurationOf(account).current.streak;
  }

  async #state(account: string, userId: string): Promise<StreakState> {
    const stored = await this.#states.read(account, userId, 'streaks');
    return stored === null || stored === undefined ? INITIAL_STATE : decodeStreakState(stored);
  }
}

function keptPeriod({ period_start, length, used_freeze }: PeriodRow): KeptPeriod {
  return { start: period_start, length, usedFreeze: used_freeze };
}

function withLengths(periods: readonly Period[], kept: readonly KeptPeriod[]): readonly StreakPeriod[] {
  const byStart = new Map(kept.map((period) => [period.start, period]));
  return periods.map(({ start, end }) => {
    const { length = 0, usedFreeze = false } = byStart.get(start) ?? {};
    return { periodStart: start, periodEnd: end, length, usedFreeze };
  });
}
