import type { Instant, Zone } from '@laurel/calendar';
import type { StreakChange, StreakDefinition } from '@laurel/contracts';
import { countEvent } from './count-event.ts';
import type { MetricValue } from './count-event.ts';
import type { KeptPeriod } from './kept-period.ts';
import { announceEnd, settle, unchanged } from './settle.ts';
import type { Settled } from './settle.ts';
import { endOfStreak } from './streak-end.ts';
import { countingInstant, inGeneration } from './streak-state.ts';
import type { StreakState } from './streak-state.ts';

/** What a record means to a streak. */
export interface Occurrence {
  readonly occurredAt: Instant;
  /** The user's creation. */
  readonly createdAt: Instant;
  /** The user's clock from this record on. */
  readonly zone: Zone;
  /** null: no metric event. It may end a streak, or revive one by its zone, but makes no period current and extends nothing. */
  readonly event: MetricValue | null;
}

export interface Applied {
  readonly state: StreakState;
  /** The instant that counted. */
  readonly instant: Instant;
  readonly extended: boolean;
  /** Periods bridged and met, in order of time. */
  readonly kept: readonly KeptPeriod[];
  readonly changes: readonly StreakChange[];
}

/**
 * Applies one record: what time has done to the streak on the clock that the user had, then the change of clock, then the
 * event. Deterministic; nothing is mutated.
 */
export function applyRecord(before: StreakState, occurrence: Occurrence, definition: StreakDefinition | null): Applied {
  const instant = countingInstant(before, occurrence.occurredAt);
  const known = { ...before, createdAt: occurrence.createdAt };
  if (definition === null) return withoutStreak(known, occurrence, instant);
  const fresh = startAfresh(known, instant, definition);
  const timed = settle(fresh.state, instant, definition);
  const moved = move(timed.state, occurrence, instant, definition);
  const counted = count(moved.state, occurrence, instant, definition);
  return {
    state: counted.state,
    instant,
    extended: counted.kept.length > 0,
    kept: [...timed.kept, ...moved.kept, ...counted.kept],
    changes: [...fresh.changes, ...timed.changes, ...moved.changes, ...counted.changes],
  };
}

/** No streak is kept: a length that was announced is taken back, clock and latest instant go on. */
function withoutStreak(before: StreakState, { zone, event }: Occurrence, instant: Instant): Applied {
  const { state, changes } = announceEnd(before, instant);
  const latest = event === null ? state.latest : instant;
  return { state: { ...state, zone, latest, freezes: null }, instant, extended: false, kept: [], changes };
}

function startAfresh(state: StreakState, instant: Instant, definition: StreakDefinition): Settled {
  const fresh = inGeneration(state, definition);
  return { state: fresh, kept: [], changes: fresh === state ? [] : announceEnd(state, instant).changes };
}

/** An ended streak lives again if the new clock moves E beyond the instant; a living one may end by going back to an old clock. */
function move(
  state: StreakState,
  { zone, occurredAt }: Occurrence,
  instant: Instant,
  definition: StreakDefinition,
): Settled {
  if (zone === state.zone) return unchanged(state);
  const moved: StreakState = { ...state, zone };
  const { streak } = moved;
  if (streak === null || !streak.ended) return settle(moved, instant, definition);
  if (endOfStreak(streak, zone, definition.period) <= instant) return unchanged(moved);
  const changes = [{ at: occurredAt, length: streak.length }];
  return { state: { ...moved, streak: { ...streak, ended: false } }, kept: [], changes };
}

function count(
  state: StreakState,
  { event, occurredAt }: Occurrence,
  instant: Instant,
  definition: StreakDefinition,
): Settled {
  if (event === null) return unchanged(state);
  const counted = countEvent(state, event, instant, definition);
  const extension = counted.kept.at(-1);
  return { ...counted, changes: extension === undefined ? [] : [{ at: occurredAt, length: extension.length }] };
}
