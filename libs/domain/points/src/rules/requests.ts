import { exactOf, negate, smaller, subtract, type Exact } from '@laurel/amounts';
import {
  isPointsRequest,
  REFUND_TRIGGER,
  SPEND_TRIGGER,
  type Emitter,
  type Occasion,
  type PointsRequest,
  type RefundRequested,
  type SpendRequested,
  type Verdict,
} from '@laurel/kernel';
import { fire } from './fire.ts';
import type { PointsPlan } from './points-plan.ts';
import { newSystem, type PointsState, type SystemState } from './points-state.ts';

/** Decides a request for points, or applies how it was decided (specification, section 6.12). */
export function movePoints(state: PointsState, occasion: Occasion, plan: PointsPlan, out: Emitter): void {
  const { event, position } = occasion;
  if (!isPointsRequest(event)) return;
  const place = plan.systemByKey.get(event.system) ?? null;
  const system = (place === null ? null : state.systems[place]) ?? newSystem(state);
  if (event.type === 'SpendRequested') {
    const verdict = announced(verdictOnSpend(system, event), event, out);
    if (verdict.accepted && place !== null)
      spend(state, { place, position, amount: exactOf(BigInt(verdict.amount)) }, plan, out);
  } else {
    const left = leftOf(system, event);
    const verdict = announced(verdictOnRefund(left, event), event, out);
    // A correction may have left less of the spend than was decided.
    const points = verdict.accepted ? smaller(exactOf(BigInt(verdict.amount)), left) : 0;
    if (verdict.accepted && place !== null)
      refund(state, { place, position: event.spend.position, left, points }, plan, out);
  }
}

function announced(verdict: Verdict, { system }: PointsRequest, out: Emitter): Verdict {
  if (verdict.accepted) out.emit({ type: 'RequestAccepted', system, amount: exactOf(BigInt(verdict.amount)) });
  else out.emit({ type: 'RequestRefused', system, available: exactOf(BigInt(verdict.available)) });
  return verdict;
}

interface Spend {
  /** The system's index in the plan. */
  readonly place: number;
  /** Position of the spend. */
  readonly position: number;
}

function spend(
  state: PointsState,
  { place, position, amount }: Spend & { readonly amount: Exact },
  plan: PointsPlan,
  out: Emitter,
): void {
  const award = { type: 'spend', id: SPEND_TRIGGER, system: place, points: negate(amount) } as const;
  const taken = negate(fire(state, award, 1, plan, out));
  if (taken < amount) keepLeft(state, { place, position }, taken);
}

function refund(
  state: PointsState,
  { place, position, left, points }: Spend & { readonly left: Exact; readonly points: Exact },
  plan: PointsPlan,
  out: Emitter,
): void {
  const given = fire(state, { type: 'refund', id: REFUND_TRIGGER, system: place, points }, 1, plan, out);
  keepLeft(state, { place, position }, subtract(left, given));
}

const leftOf = ({ left }: SystemState, { spend: { position, spent } }: RefundRequested): Exact =>
  left.get(position) ?? exactOf(BigInt(spent));

function keepLeft(state: PointsState, { place, position }: Spend, points: Exact): void {
  const { total, earned, settledTo, level, otherSums, left, boosts, boostsEndedTo } =
    state.systems[place] ?? newSystem(state);
  const leftNow = new Map(left).set(position, points);
  state.systems[place] = { total, earned, settledTo, level, otherSums, left: leftNow, boosts, boostsEndedTo };
}

/** A spend takes all of its amount, or nothing. */
const verdictOnSpend = ({ total }: SystemState, { amount, verdict }: SpendRequested): Verdict =>
  verdict ??
  (total >= amount ? { accepted: true, amount, moved: amount } : { accepted: false, available: Number(total) });

/** A refund gives all of its amount, or nothing. @param left what is left of the spend */
function verdictOnRefund(left: Exact, { amount, verdict }: RefundRequested): Verdict {
  if (verdict !== undefined) return verdict;
  const available = Number(left);
  const asked = amount ?? available;
  return asked > 0 && asked <= available
    ? { accepted: true, amount: asked, moved: asked }
    : { accepted: false, available };
}
