import { add, multiply, type Exact } from '@laurel/amounts';
import { dayAt } from '@laurel/calendar';
import { areMet, isActiveAt, type Boost, type BoostedPoints, type Emitter, type TriggerFired } from '@laurel/kernel';
import { passOver } from './pass-over.ts';
import { systemAt, type ConditionedBoost, type FiredTrigger, type PointsPlan } from './points-plan.ts';
import { newSystem, type PointsState } from './points-state.ts';
import type { TimeAward } from './due/time-awards.ts';
import { boostAward } from './award/boost-award.ts';
import { cappedAward, presentUsing, roomsFor, type CappedAward } from './award/caps.ts';
import { cutAward, timeAwardCut } from './award/cut-award.ts';
import { boostsFor } from './own-boosts.ts';
import { earnedBy } from './award/earned-by.ts';

/** A trigger that fires, a grant, or a request. */
export type Award = Pick<FiredTrigger, 'id' | 'points' | 'system'> &
  Partial<Pick<FiredTrigger, 'caps'>> &
  Pick<TriggerFired, 'type'>;

/** Whether the instant of what is emitted lies in the trigger's window. */
const isActive = ({ window }: FiredTrigger, out: Emitter): boolean =>
  window === null || isActiveAt(window, out.stamp.at);

/** Gives the award of a trigger, unless it is not active, or does not concern the user, at the instant of what fired it. */
export function fireUnlessRefused(
  state: PointsState,
  trigger: FiredTrigger,
  times: Exact,
  plan: PointsPlan,
  out: Emitter,
): void {
  const refused = refusalOf(trigger, out);
  if (refused === null) fire(state, trigger, times, plan, out);
  else passOver([trigger], refused, plan, out);
}

/** Why a trigger must not fire at the instant of what is emitted; null if it may. */
export function refusalOf(trigger: FiredTrigger, out: Emitter): 'not_active' | 'user_differs' | null {
  if (!isActive(trigger, out)) return 'not_active';
  const { where } = trigger;
  return where === null || areMet(where.user, out.stamp.attributeHashes) ? null : 'user_differs';
}

/**
 * Gives one award: times fired × points, multiplied by boosts, cut to the remaining room. An award of which nothing is left is not
 * recorded.
 * @returns the points that moved
 */
export function fire(state: PointsState, award: Award, times: Exact, plan: PointsPlan, out: Emitter): Exact {
  const { id: triggerId, type, points, system: place } = award;
  const { key: system, maxPoints, boosts } = systemAt(plan, place);
  const before = state.systems[place] ?? newSystem(state);
  const nominal = multiply(times, points);
  const isBoosted = boosts.length > 0 || before.boosts.length > 0;
  const boosted = isBoosted ? boostIn(before.boosts, boosts, { type, points: nominal }, out) : null;
  const capped = cappedBy(state, award, out);
  const rooms = capped === null ? NO_ROOMS : roomsFor(capped);
  const bounds = { total: before.total, maxPoints, rooms };
  const { points: awarded, cutBy } = cutAward(boosted?.points ?? nominal, bounds);
  out.reasons?.triggerFired({ system, triggerId, type, times, nominal, boosted: boosted ?? undefined, awarded, cutBy });
  if (awarded === 0) return 0;
  if (capped !== null) state.present = presentUsing(capped, awarded);
  const total = add(before.total, awarded);
  const earned = add(before.earned, earnedBy(awarded, triggerId));
  const { settledTo, level, otherSums, left, boosts: own, boostsEndedTo } = before;
  state.systems[place] = { total, earned, settledTo, level, otherSums, left, boosts: own, boostsEndedTo };
  if (boosted === null) out.emit({ type: 'PointsAwarded', system, triggerId, awarded, total });
  else out.emit({ type: 'PointsAwarded', system, triggerId, awarded, total, boosts: boosted.boosts });
  return awarded;
}

const NO_ROOMS: readonly never[] = [];

/** null for an award that no cap can cut. */
function cappedBy({ present }: PointsState, { caps = NO_CAPS, points }: Award, out: Emitter): CappedAward | null {
  if (caps.length === 0 || points < 0) return null;
  const { at, zone } = out.stamp;
  return cappedAward(caps, { at, day: dayAt(at, zone) }, present);
}

const NO_CAPS: readonly never[] = [];

/** @param own the user's boosts, @param configured those of the system */
function boostIn(
  own: readonly Boost[],
  configured: readonly ConditionedBoost[],
  { type, points }: Pick<Award, 'type' | 'points'>,
  { stamp: { at, recordedAt, attributeHashes } }: Emitter,
): BoostedPoints | null {
  const ofUser = configured.flatMap(({ boost, user }) => (areMet(user, attributeHashes) ? [boost] : []));
  return boostAward({ type, points, at }, boostsFor(ofUser, own, recordedAt));
}

/** Gives a time award, whose cut the debt has worked out. */
export function giveDue({ span, at, awarded, total }: TimeAward, plan: PointsPlan, out: Emitter) {
  const { triggerId, points: nominal } = span;
  const { key: system } = systemAt(plan, span.system);
  const cutBy = timeAwardCut(nominal, awarded);
  out.reasons?.triggerFired({ system, triggerId, type: 'time', times: 1, nominal, awarded, cutBy });
  out.dueAt(at).emit({ type: 'PointsAwarded', system, triggerId, awarded, total });
}
