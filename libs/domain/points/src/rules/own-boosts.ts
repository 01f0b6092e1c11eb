import type { Instant } from '@laurel/calendar';
import { MOST_BOOSTS_HELD, type Boost, type Occasion } from '@laurel/kernel';
import type { PointsPlan } from './points-plan.ts';
import { newSystem, type PointsState } from './points-state.ts';

type Boosts = readonly Boost[];

/**
 * Gives the user a boost of their own, unless they have as many as one may have (specification, section 6.13). Of the finished ones, as many of
 * the last remain, so that lists can show them.
 */
export function giveBoost(state: PointsState, { event, eventId, occurredAt }: Occasion, plan: PointsPlan): void {
  if (event.type !== 'GrantRecorded' || event.grant.kind !== 'boost') return;
  const { system: key, name, multiplier, rounding, lasts } = event.grant;
  const place = plan.systemByKey.get(key);
  if (place === undefined) return;
  const end = 'until' in lasts ? lasts.until : occurredAt + lasts.minutes * MINUTE_MS;
  const { total, earned, settledTo, level, otherSums, left, boosts } = state.systems[place] ?? newSystem(state);
  const held = unfinished(boosts, occurredAt);
  if (held.length >= MOST_BOOSTS_HELD) return;
  const finished = boosts.filter((boost) => !held.includes(boost)).slice(-MOST_BOOSTS_HELD);
  const given: Boost = { id: eventId, name, multiplier, rounding, start: occurredAt, end };
  const now = [...finished, ...held, given];
  state.systems[place] = { total, earned, settledTo, level, otherSums, left, boosts: now };
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

export const NONE: Boosts = [];
