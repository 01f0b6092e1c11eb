import { effectsOfType, REFUND_TRIGGER, SPEND_TRIGGER, type Effect } from './effects.ts';
import type { Verdict } from './points-requests.ts';

/** How a request for points was decided, by the effects of its event; null without such a request. */
export function verdictIn(effects: readonly Effect[]): Verdict | null {
  const [refused] = effectsOfType(effects, 'RequestRefused');
  if (refused !== undefined) return { accepted: false, available: Number(refused.available) };
  const [accepted] = effectsOfType(effects, 'RequestAccepted');
  if (accepted === undefined) return null;
  const moved = effectsOfType(effects, 'PointsAwarded').find(
    ({ triggerId }) => triggerId === SPEND_TRIGGER || triggerId === REFUND_TRIGGER,
  );
  return { accepted: true, amount: Number(accepted.amount), moved: Math.abs(Number(moved?.awarded ?? 0)) };
}
