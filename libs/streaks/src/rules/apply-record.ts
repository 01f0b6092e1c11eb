import type { Instant, Zone } from '@laurel/calendar';
import type { StreakChange, StreakDefinition } from '@laurel/contracts';
import { countEvent } from './count-event.ts';
import type { KeptPeriod, MetricValue } from './count-event.ts';
import { endOfStreak } from './streak-end.ts';
import { countingInstant, inGeneration } from './streak-state.ts';
import type { StreakState } from './streak-state.ts';

/** What a record means to a streak. */
export interface Occurrence {
  readonly occurredAt: Instant;
  /** The user's clock from this record on. */
  readonly zone: Zone;
  /** null: no metric event. It may end a streak, or revive one by its zone, but makes no period current and extends nothing. */
  readonly event: MetricValue | null;
}

export interface Applied {
  readonly state: StreakState;
  /** The instant that counted. */
  readonly instant: Instant;
  readonly kept: readonly KeptPeriod[];
  readonly changes: readonly StreakChange[];
}

interface Step {
  readonly state: StreakState;
  readonly changes: readonly StreakChange[];
}

/**
 * Applies one record: what time has done to the streak on the clock that the user had, then the change of clock, then the
 * event. Deterministic; nothing is mutated.
 */
export function applyRecord(before: StreakState, occurrence: Occurrence, definition: StreakDefinition | null): Applied {
  const instant = countingInstant(before, occurrence.occurredAt);
  if (definition === null) return withoutStreak(before, occurrence, instant);
  const fresh = startAfresh(before, instant, definition);
  const timed = noticeEnd(fresh.state, instant, definition);
  const moved = move(timed.state, occurrence, instant, definition);
  const changes = [...fresh.changes, ...timed.changes, ...moved.changes];
  if (occurrence.event === null) return { state: moved.state, instant, kept: [], changes };
  const { state, kept } = countEvent(moved.state, occurrence.event, instant, definition);
  const extension = kept.at(-1);
  if (extension) changes.push({ at: occurrence.occurredAt, length: extension.length });
  return { state, instant, kept, changes };
}

/** No streak is kept: a length that was announced is taken back, clock and latest instant go on. */
function withoutStreak(before: StreakState, { zone, event }: Occurrence, instant: Instant): Applied {
  const { state, changes } = announceZero(before, instant);
  const latest = event === null ? state.latest : instant;
  return { state: { ...state, zone, latest }, instant, kept: [], changes };
}

function startAfresh(state: StreakState, instant: Instant, definition: StreakDefinition): Step {
  const fresh = inGeneration(state, definition);
  return { state: fresh, changes: fresh === state ? [] : announceZero(state, instant).changes };
}

function noticeEnd(state: StreakState, instant: Instant, definition: StreakDefinition): Step {
  if (state.streak === null) return { state, changes: [] };
  const end = endOfStreak(state.streak, state.zone, definition.period);
  return end <= instant ? announceZero(state, end) : { state, changes: [] };
}

/** An ended streak lives again if the new clock moves E beyond the instant; a living one may end by going back to an old clock. */
function move(
  state: StreakState,
  { zone, occurredAt }: Occurrence,
  instant: Instant,
  definition: StreakDefinition,
): Step {
  if (zone === state.zone) return { state, changes: [] };
  const moved: StreakState = { ...state, zone };
  const { streak } = moved;
  if (streak === null || !streak.ended) return noticeEnd(moved, instant, definition);
  if (endOfStreak(streak, zone, definition.period) <= instant) return { state: moved, changes: [] };
  return {
    state: { ...moved, streak: { ...streak, ended: false } },
    changes: [{ at: occurredAt, length: streak.length }],
  };
}

function announceZero(state: StreakState, at: Instant): Step {
  const { streak } = state;
  if (streak === null || streak.ended) return { state, changes: [] };
  return { state: { ...state, streak: { ...streak, ended: true } }, changes: [{ at, length: 0 }] };
}
