import type { Instant } from '@laurel/calendar';
import { MOST_BOOSTS_HELD, type Boost, type Occasion } from '@laurel/kernel';
import type { PointsPlan } from './points-plan.ts';
import { newSystem, type PointsState, type SystemState } from './points-state.ts';

type Boosts = readonly Boost[];

/**
 * Gives the user a boost of their own, unless they have as many as one may have (specification, section 6.15). Of the finished ones, as many of
 * the last remain, so that lists can show them.
 * @returns null if the event gives none
 */
export function giveBoost(
  state: PointsState,
  { event, eventId, occurredAt }: Occasion,
  plan: PointsPlan,
): Boost | null {
  if (event.type !== 'GrantRecorded' || event.grant.kind !== 'boost') return null;
  const { system: key, name, multiplier, rounding, lasts } = event.grant;
  const place = plan.systemByKey.get(key);
  if (place === undefined) return null;
  const end = 'until' in lasts ? lasts.until : occurredAt + lasts.minutes * MINUTE_MS;
  const { total, earned, settledTo, level, otherSums, left, boosts, boostsEndedTo } =
    state.systems[place] ?? newSystem(state);
  const held = unfinished(boosts, occurredAt);
  if (held.length >= MOST_BOOSTS_HELD) return null;
  const finished = boosts.filter((boost) => !held.includes(boost)).slice(-MOST_BOOSTS_HELD);
  const given: Boost = { id: eventId, name, multiplier, rounding, start: occurredAt, end };
  const now = [...finished, ...held, given];
  state.systems[place] = { total, earned, settledTo, level, otherSums, left, boosts: now, boostsEndedTo };
  return given;
}

const MINUTE_MS = 60_000;

/** The number of the user's own boosts in a system that are not finished. */
export function boostsHeld(state: PointsState, plan: PointsPlan, key: string, at: Instant): number {
  const place = plan.systemByKey.get(key);
  return place === undefined ? 0 : unfinished(state.systems[place]?.boosts ?? NONE, at).length;
}

const unfinished = (boosts: Boosts, at: Instant): Boosts => boosts.filter(({ end }) => end === null || at < end);

/** The boosts that multiply awards of a record: those of the system, then the user's own that had not ended when it was recorded. */
export const boostsFor = (configured: Boosts, own: Boosts, recordedAt: Instant): Boosts =>
  own.length === 0 ? configured : [...configured, ...unfinished(own, recordedAt)];

/** The end of a boost that the user was given. */
export interface BoostEnd {
  readonly at: Instant;
  /** The system's index in the plan. */
  readonly place: number;
  readonly boost: Boost;
}

/** The first end of one of the user's boosts that is not recorded; null if there is none. */
export function firstEnd(state: PointsState): Instant | null {
  let first: Instant | null = null;
  for (const system of state.systems)
    for (const { end } of system === undefined ? NONE : system.boosts)
      if (end !== null && end > (system?.boostsEndedTo ?? 0) && (first === null || end < first)) first = end;
  return state.erased ? null : first;
}

/** Takes the ends of the user's boosts up to an instant, inclusive, that are not recorded. */
export function takeEnds(state: PointsState, upTo: Instant): readonly BoostEnd[] {
  const first = firstEnd(state);
  if (first === null || first > upTo) return NO_ENDS;
  return state.systems.flatMap((system, place) =>
    system === undefined ? NO_ENDS : takeIn(state, system, place, upTo),
  );
}

function takeIn(state: PointsState, system: SystemState, place: number, upTo: Instant): readonly BoostEnd[] {
  const { total, earned, settledTo, level, otherSums, left, boosts, boostsEndedTo: past } = system;
  const ends = boosts.flatMap((boost): readonly BoostEnd[] =>
    boost.end !== null && past < boost.end && boost.end <= upTo ? [{ at: boost.end, place, boost }] : NO_ENDS,
  );
  const boostsEndedTo = Math.max(past, ...ends.map(({ at }) => at));
  state.systems[place] = { total, earned, settledTo, level, otherSums, left, boosts, boostsEndedTo };
  return ends;
}

const NO_ENDS: readonly BoostEnd[] = [];
const NONE: Boosts = [];
