import { add, multiply, type Exact } from '@laurel/amounts';
import { dayAt, type Day, type Instant } from '@laurel/calendar';
import type { Effect, Occasion, RankChanged, StreakEffect, Subject } from '@laurel/kernel';
import type { BoardPlan, LeaderboardsPlan, PlannedRun } from './leaderboards-plan.ts';
import { rankOf, type RunStandings } from './run-standings.ts';
import type { Standing } from './standing.ts';

/** One whole, in millionths: the values of boards are amounts. */
const UNITS = 1_000_000;

/** The areas whose effects contributions are worked out from. */
export const LEADERBOARDS_NEED = ['users', 'streaks', 'points'] as const;

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

/** Of an occasion's first award, and of its first change of a streak: in a sweep the users come one behind another. */
export const firstOrdinalOf = (cause: Occasion['cause']): number =>
  cause.type === 'TimePassed' ? cause.place * CAUSES_PER_USER : 0;

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
  let awards = firstOrdinalOf(cause);
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
        if (boards !== undefined && (due || countsOnBoards(cause)))
          contribute(contributions, boards, day, multiply(awarded, UNITS), false, at, awards, due);
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
  if (cause.type === 'ErasureAsked' && cause.boards === 'remove') leaveRunningRuns(contributions, occurredAt, plan);
  return contributions;
}

/** What becomes of the places of an erased user is asked for, and no streak decides it. */
const endsByErasure = (effect: StreakEffect): boolean => effect.type === 'StreakEnded' && effect.byErasure === true;

/** A value of 0 is not on the board. */
function leaveRunningRuns(contributions: RunContribution[], at: Instant, { boards }: LeaderboardsPlan): void {
  for (const board of boards) {
    const runs = new Map<Day, PlannedRun>();
    for (const day of daysOnAnyClock(at)) {
      const run = board.runOn(day);
      if (run !== null) runs.set(run.day, run);
    }
    for (const run of runs.values())
      contributions.push({ run, change: 0, sets: true, at, ordinal: LAST_CAUSE, due: false });
  }
}

/** The days that some clock shows at an instant: runs that hold none of them are final. */
export function daysOnAnyClock(at: Instant): readonly Day[] {
  const [first, last] = [dayAt(at - WESTERNMOST_MS, 'UTC'), dayAt(at + EASTERNMOST_MS, 'UTC')];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Behind what was due before. */
const LAST_CAUSE = CAUSES_PER_USER - 1;

/** The clocks farthest behind UTC and ahead of it. */
const WESTERNMOST_MS = 12 * 3_600_000;
const EASTERNMOST_MS = 14 * 3_600_000;

/** A grant may be kept off the boards. */
const countsOnBoards = (cause: Occasion['cause']): boolean =>
  cause.type !== 'GrantReceived' || cause.grant.kind !== 'points' || cause.grant.boards !== false;

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

/** Those that were final when the cause was recorded. */
export const finalRuns = (
  runs: readonly PlannedRun[],
  { recordedAt }: { readonly recordedAt: Instant | null },
): readonly PlannedRun[] =>
  recordedAt !== null && runs.some(({ finalFrom }) => finalFrom <= recordedAt)
    ? runs.filter(({ finalFrom }) => finalFrom <= recordedAt)
    : NO_RUNS;

const NO_RUNS: readonly PlannedRun[] = [];

/** What moves a user's standing in a run. */
export type MovedStandings = Pick<RunStandings, 'get' | 'put'>;

/** A user's own change of value in one run, with the ranks directly before and after it. */
interface Moved {
  readonly run: PlannedRun;
  readonly contribution: RunContribution;
  readonly before: Standing | undefined;
  readonly after: Standing;
  readonly previousRank: number | null;
  readonly rank: number | null;
  readonly participants: number;
}

/**
 * Applies the contributions of one occasion to the standings of its user, in their order.
 *
 * @param standingsOf the run's standings, with the user's kept for an undo
 * @returns a rank change for each contribution that was due before the event, and one with the net effect of what the event itself did
 *   to a run as a whole; those that were due first, each in configuration order of the boards
 */
export function moveStandings(
  contributions: readonly RunContribution[],
  { subject, position }: Pick<Occasion, 'subject' | 'position'>,
  standingsOf: (run: PlannedRun) => MovedStandings,
): readonly RankChanged[] {
  const due: Moved[] = [];
  const own: Moved[] = [];
  for (const contribution of contributions) {
    const moved = move(contribution, subject, position, standingsOf(contribution.run));
    if (moved === null) continue;
    if (contribution.due) due.push(moved);
    else joinOwn(own, moved);
  }
  const changed = inOrder(own).filter(({ before, after }) => (before?.score ?? 0) !== after.score);
  return [...inOrder(due), ...changed].map(rankChanged);
}

/** null for a change of 0, which reaches nothing. */
function move(
  contribution: RunContribution,
  subject: Subject,
  position: number,
  standings: MovedStandings,
): Moved | null {
  const { run, change, sets, at, ordinal } = contribution;
  if (!Number.isSafeInteger(at)) throw new RangeError(`not an instant: ${at}`);
  const before = standings.get(subject);
  const present: Exact = before?.score ?? 0;
  const score = sets ? change : add(present, change);
  if (score === present) return null;
  const after: Standing = { subject, score, reachedAt: at, position, ordinal };
  const { aheadBefore, aheadAfter, participants } = standings.put(subject, after);
  const { maxParticipants } = run.board;
  const previousRank = rankOf(aheadBefore, maxParticipants);
  const rank = rankOf(aheadAfter, maxParticipants);
  return { run, contribution, before, after, previousRank, rank, participants };
}

/** Of several changes of one run the first says what was before, the last what is after. */
function joinOwn(own: Moved[], moved: Moved): void {
  const place = own.findIndex(({ run }) => run.board === moved.run.board && run.day === moved.run.day);
  const earlier = own[place];
  if (earlier === undefined) own.push(moved);
  else own[place] = { ...moved, before: earlier.before, previousRank: earlier.previousRank };
}

const inOrder = (moves: Moved[]): readonly Moved[] =>
  isInOrder(moves) ? moves : moves.sort((a, b) => a.run.board.place - b.run.board.place);

/** Mostly so: the boards of one cause come in configuration order. */
function isInOrder(moves: readonly Moved[]): boolean {
  for (let index = 1; index < moves.length; index++)
    if ((moves[index - 1] as Moved).run.board.place > (moves[index] as Moved).run.board.place) return false;
  return true;
}

/** It inherits instant and `due` from the effect that contributed. */
const rankChanged = ({ run, contribution, before, after, previousRank, rank, participants }: Moved): RankChanged => ({
  type: 'RankChanged',
  board: run.board.key,
  run: run.day,
  at: contribution.at,
  ordinal: contribution.ordinal,
  previousRank,
  rank,
  participants,
  previousValue: before?.score ?? null,
  value: after.score,
  due: contribution.due,
});
