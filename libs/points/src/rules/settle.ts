import type { Instant } from '@laurel/calendar';
import type { Configuration, PointsSystemDefinition } from '@laurel/contracts';
import { type KnownPoints, type PointsState, type SystemState, systemOf } from './points-state.ts';
import { type TimeAward, timeAwards } from './time-awards.ts';
import { type TimeSchedule, type Window, scheduleOf } from './time-schedule.ts';
import { timeTally, type TimeTally } from './time-tally.ts';

export type DueAward = TimeAward & { readonly system: string };

/** What a system of a user owes up to an instant. */
export interface Debt {
  readonly schedule: TimeSchedule;
  readonly window: Window;
  /** Before the first of them. */
  readonly total: bigint;
}

/** The time awards that are due at `at` and not yet recorded, as arguments of the functions that work them out. */
export function debtOf(state: KnownPoints, definition: PointsSystemDefinition, at: Instant): Debt {
  const { total, settledTo } = systemOf(state.systems, definition.key, state.createdAt);
  return { schedule: scheduleOf(definition, state.createdAt), window: { after: settledTo, upTo: at }, total };
}

/** Total and number of due awards at `at`, recorded or not. */
export function tallyAt(state: KnownPoints, definition: PointsSystemDefinition, at: Instant): TimeTally {
  const { schedule, window, total } = debtOf(state, definition, at);
  return timeTally(schedule, window, total);
}

/** How many time awards are due at `at` and not yet recorded, in all systems. */
export function owedAt(state: PointsState, configuration: Configuration, at: Instant): number {
  if (state.kind === 'unknown') return 0;
  return configuration.pointsSystems.reduce((sum, definition) => sum + tallyAt(state, definition, at).awards, 0);
}

/** What makes a user's due awards be given: a record of the user's own, or a sweep, of which they know nothing. */
export type SettledBy = 'record' | 'sweep';

/**
 * Gives what is due up to `at`, inclusive, in every system: by instant, then configuration order (specification, section 6).
 * An instant before the last settlement (a late import) settles nothing.
 *
 * A record of the user's own settles up to its instant, also what was cut to nothing. A sweep settles a system only up to the
 * last award that it gives: so whether anybody was swept, and for the sake of which system, makes no difference to what a
 * late import finds.
 */
export function settle(
  state: KnownPoints,
  configuration: Configuration,
  at: Instant,
  by: SettledBy,
): { readonly systems: ReadonlyMap<string, SystemState>; readonly awards: readonly DueAward[] } {
  const systems = new Map(state.systems);
  const awards = configuration.pointsSystems.flatMap((definition) => {
    const { schedule, window, total } = debtOf(state, definition, at);
    if (schedule.spans.length === 0 || window.upTo <= window.after) return [];
    const due = [...timeAwards(schedule, window, total)];
    const last = due.at(-1);
    const settled = { total: last?.total ?? total, settledTo: by === 'record' ? at : (last?.at ?? window.after) };
    systems.set(definition.key, { ...systemOf(systems, definition.key, state.createdAt), ...settled });
    return due.map((award) => ({ ...award, system: definition.key }));
  });
  return { systems, awards: awards.sort((a, b) => a.at - b.at) };
}

/** The first instant at which a time award falls due that is not recorded yet; null: none, unless the total changes. */
export function nextDueAt(state: PointsState, configuration: Configuration): Instant | null {
  if (state.kind === 'unknown') return null;
  const instants = configuration.pointsSystems.flatMap((definition) => {
    const { schedule, window, total } = debtOf(state, definition, Number.MAX_SAFE_INTEGER);
    const first = timeAwards(schedule, window, total).next();
    return first.done ? [] : [first.value.at];
  });
  return instants.length === 0 ? null : Math.min(...instants);
}
