import { multiply, type Exact } from '@laurel/amounts';
import { dayAt, formatDay, parseDay, type Day, type Instant } from '@laurel/calendar';
import {
  perConfiguration,
  type BoardRun,
  type Configuration,
  type Effect,
  type LeaderboardDefinition,
  type Occasion,
  type RunKey,
  type StreakEffect,
} from '@laurel/contracts';
import { runHolding } from './runs.ts';

/** One whole, in millionths: the values of boards are amounts. */
const UNITS = 1_000_000;

/** Boards by what feeds them, in configuration order. */
export interface LeaderboardsPlan {
  readonly account: string;
  readonly boards: readonly BoardPlan[];
  /** By the metric's place in the configuration. */
  readonly onMetric: readonly (readonly BoardPlan[])[];
  /** By the points system's key. */
  readonly onPoints: ReadonlyMap<string, readonly BoardPlan[]>;
  readonly onStreak: readonly BoardPlan[];
}

/** A run of a board, as it is named in the tables. */
export interface PlannedRun extends BoardRun {
  readonly board: BoardPlan;
  readonly key: RunKey;
  /** First day. */
  readonly day: Day;
}

/** A board, and its runs by the days that they hold. */
export class BoardPlan {
  readonly key: string;
  /** Its place in the configuration. */
  readonly place: number;
  readonly maxParticipants: number;
  readonly #account: string;
  readonly #definition: LeaderboardDefinition;
  readonly #runs = new Map<Day, PlannedRun | null>();

  constructor(account: string, definition: LeaderboardDefinition, place: number) {
    this.#account = account;
    this.#definition = definition;
    this.key = definition.key;
    this.place = place;
    this.maxParticipants = definition.maxParticipants;
  }

  /** The run that holds the day; null outside of the board's dates. */
  runOn(day: Day): PlannedRun | null {
    const known = this.#runs.get(day);
    if (known !== undefined) return known;
    if (this.#runs.size >= DAYS_KEPT) this.#runs.clear();
    const run = this.#find(day);
    this.#runs.set(day, run);
    return run;
  }

  #find(day: Day): PlannedRun | null {
    const run = runHolding(this.#definition, formatDay(day));
    if (run === null) return null;
    const key = { account: this.#account, board: this.key, start: run.start };
    return { ...run, board: this, key, day: parseDay(run.start) };
  }
}

/** About 100 bytes each. A board that is fed by a longer history works runs out again. */
const DAYS_KEPT = 10_000;

/** What an occasion changes in one run of one board. */
export interface RunContribution {
  readonly run: PlannedRun;
  /** Adds to the value, or sets it. Millionths. */
  readonly change: Exact;
  readonly sets: boolean;
  readonly at: Instant;
  /** The place of its cause within the event: of an award among the awards, of a streak change among those; in a sweep behind those of the users before. */
  readonly ordinal: number;
  /**
   * True for what was due before the event and is only given along with it: a time award, the end of a streak. Others see it as
   * happening directly before the event.
   */
  readonly due: boolean;
}

/** More than one event causes for one user in a sweep. */
const CAUSES_PER_USER = 10_000;

/**
 * Everything that an occasion changes, by the effects of the areas before; within one board in order of recording
 * (specification, section 7). Boards and points systems that the plan's version does not hold count nothing; so do days outside of a
 * board's start and end.
 */
export function contributionsOf(
  occasion: Occasion,
  plan: LeaderboardsPlan,
  effects: readonly Effect[],
): readonly RunContribution[] {
  const { cause, occurredAt, user } = occasion;
  const contributions: RunContribution[] = [];
  let awards = cause.type === 'TimePassed' ? cause.place * CAUSES_PER_USER : 0;
  let streakChanges = awards;
  for (const effect of effects) {
    switch (effect.type) {
      case 'MetricTotalChanged':
        if (cause.type === 'MetricReported')
          contribute(contributions, plan.onMetric[cause.metric], user.day, effect.change, false, occurredAt, 0, false);
        break;
      case 'PointsAwarded': {
        const { awarded, at, day, due } = effect;
        const boards = plan.onPoints.get(effect.system);
        if (boards !== undefined)
          contribute(contributions, boards, day, multiply(awarded, UNITS), false, at, awards, due);
        awards++;
        break;
      }
      case 'StreakStarted':
      case 'StreakExtended':
      case 'StreakRevived':
      case 'StreakEnded':
        changeStreak(contributions, effect, occasion, plan, streakChanges++);
        break;
      default:
    }
  }
  return contributions;
}

/**
 * An end counts on its own day, on the clock that was then in force; a length that was reached, on the event's, which for a late import
 * is not the instant that counts for the streak itself.
 */
function changeStreak(
  contributions: RunContribution[],
  effect: Extract<StreakEffect, { readonly length: number; readonly at: Instant }>,
  { occurredAt, user }: Occasion,
  { onStreak }: LeaderboardsPlan,
  ordinal: number,
): void {
  if (onStreak.length === 0) return;
  if (effect.type === 'StreakEnded')
    contribute(contributions, onStreak, dayAt(effect.at, user.previousZone), 0, true, effect.at, ordinal, true);
  else contribute(contributions, onStreak, user.day, effect.length * UNITS, true, occurredAt, ordinal, false);
}

function contribute(
  contributions: RunContribution[],
  boards: readonly BoardPlan[] = [],
  day: Day,
  change: Exact,
  sets: boolean,
  at: Instant,
  ordinal: number,
  due: boolean,
): void {
  for (const board of boards) {
    const run = board.runOn(day);
    if (run !== null) contributions.push({ run, change, sets, at, ordinal, due });
  }
}

export const leaderboardsPlanOf = perConfiguration(compileLeaderboards);

function compileLeaderboards({ account, leaderboards, metrics }: Configuration): LeaderboardsPlan {
  const boards = leaderboards.map((definition, place) => new BoardPlan(account, definition, place));
  const onMetric = new Map(metrics.map(({ key }) => [key, [] as BoardPlan[]]));
  const onPoints = new Map<string, BoardPlan[]>();
  const onStreak: BoardPlan[] = [];
  for (const board of boards) {
    const { rankBy } = leaderboards[board.place] as LeaderboardDefinition;
    switch (rankBy.type) {
      case 'metric':
        onMetric.get(rankBy.metric.key)?.push(board);
        break;
      case 'points': {
        const fed = onPoints.get(rankBy.pointsSystem.key) ?? [];
        onPoints.set(rankBy.pointsSystem.key, [...fed, board]);
        break;
      }
      case 'streak':
        onStreak.push(board);
        break;
      default:
        throw new Error(`a board ranked by something unknown: ${JSON.stringify(rankBy satisfies never)}`);
    }
  }
  return { account, boards, onMetric: [...onMetric.values()], onPoints, onStreak };
}
