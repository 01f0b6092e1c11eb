import { multiply } from '@laurel/amounts';
import { dayAt, type Day, type Instant } from '@laurel/calendar';
import { isPointsRequest, type Contribution, type Effect, type Occasion, type StreakEffect } from '@laurel/kernel';
import type { BoardPlan, LeaderboardsPlan, PlannedRun } from './board-plans.ts';
import { daysOnAnyClock } from './runs.ts';

/** One whole, in millionths: the values of boards are amounts. */
const UNITS = 1_000_000;

/** The areas whose effects determine contributions. */
export const BOARDS_NEED = ['users', 'streaks', 'points'] as const;

/** The change by an event in one run of one board. */
export interface RunContribution extends Omit<Contribution, 'board' | 'run'> {
  readonly run: PlannedRun;
}

/** More than one event can cause for one user in a sweep. */
const CHANGES_PER_USER = 10_000;

/** The indices of the first award and the first streak change: in a sweep they continue from user to user. */
export const firstOrdinalOf = ({ event }: Occasion): number =>
  event.type === 'UserSwept' ? event.place * CHANGES_PER_USER : 0;

/**
 * All contributions of an event, computed from the effects of the earlier areas; in order of recording within a board
 * (specification, section 7). Left out are boards and points systems that the plan's version lacks, and days outside a
 * board's start and end.
 */
export function contributionsOf(
  occasion: Occasion,
  plan: LeaderboardsPlan,
  effects: readonly Effect[],
): readonly RunContribution[] {
  const { event, reported, occurredAt, user } = occasion;
  const contributions: RunContribution[] = [];
  let awards = firstOrdinalOf(occasion);
  let streakChanges = awards;
  for (const effect of effects) {
    switch (effect.type) {
      case 'MetricTotalChanged':
        if (reported !== null)
          contribute(contributions, plan.onMetric[reported.metric], user.day, {
            change: effect.change,
            sets: false,
            at: occurredAt,
            ordinal: 0,
            due: false,
          });
        break;
      case 'PointsAwarded': {
        const { awarded, at, day, due } = effect;
        const boards = plan.onPoints.get(effect.system);
        if (boards !== undefined && (due || countsOnBoards(event)))
          contribute(contributions, boards, day, {
            change: multiply(awarded, UNITS),
            sets: false,
            at,
            ordinal: awards,
            due,
          });
        awards++;
        break;
      }
      case 'StreakStarted':
      case 'StreakExtended':
      case 'StreakRevived':
      case 'StreakRejoined':
      case 'StreakEnded':
        if (!endsByErasure(effect)) changeStreak(contributions, effect, occasion, plan, streakChanges++);
        break;
      default:
    }
  }
  if (event.type === 'UserErased' && event.boards === 'remove') leaveRunningRuns(contributions, occurredAt, plan);
  return contributions;
}

/** If an erasure ends a streak, the streak does not contribute: the erasure request decides about the user's ranks. */
const endsByErasure = (effect: StreakEffect): boolean => effect.type === 'StreakEnded' && effect.byErasure === true;

/** Leaves the running runs by setting each value to 0, which is not on the board. */
function leaveRunningRuns(contributions: RunContribution[], at: Instant, { boards }: LeaderboardsPlan): void {
  for (const board of boards) {
    const runs = new Map<Day, PlannedRun>();
    for (const day of daysOnAnyClock(at)) {
      const run = board.runOn(day);
      if (run !== null) runs.set(run.day, run);
    }
    for (const run of runs.values())
      contributions.push({ run, change: 0, sets: true, at, ordinal: LAST_CHANGE, due: false });
  }
}

/** Sorts after all contributions that were due before the event. */
const LAST_CHANGE = CHANGES_PER_USER - 1;

/** A grant may be kept off the boards; spends and refunds always are. */
const countsOnBoards = (event: Occasion['event']): boolean =>
  !isPointsRequest(event) &&
  (event.type !== 'GrantRecorded' || event.grant.kind !== 'points' || event.grant.boards !== false);

/**
 * The end of a streak counts on its own day, on the clock in force then. A reached length counts on the event's day, which for a late
 * import differs from the instant that counts for the streak.
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
    contribute(contributions, onStreak, dayAt(effect.at, user.previousZone), {
      change: 0,
      sets: true,
      at: effect.at,
      ordinal,
      due: true,
    });
  else
    contribute(contributions, onStreak, user.day, {
      change: effect.length * UNITS,
      sets: true,
      at: occurredAt,
      ordinal,
      due: false,
    });
}

function contribute(
  contributions: RunContribution[],
  boards: readonly BoardPlan[] = [],
  day: Day,
  contribution: Omit<RunContribution, 'run'>,
): void {
  const { change, sets, at, ordinal, due } = contribution;
  for (const board of boards) {
    const run = board.runOn(day);
    if (run !== null) contributions.push({ run, change, sets, at, ordinal, due });
  }
}
