import type { Emitter, TriggerPassedOver } from '@laurel/kernel';
import { systemAt, type FiredTrigger, type PointsPlan } from './points-plan.ts';

/** Reports triggers that do not fire, if there is a listener. */
export function passOver(
  triggers: readonly FiredTrigger[],
  why: TriggerPassedOver['why'],
  plan: PointsPlan,
  { reasons }: Emitter,
  missing: number | null = null,
): void {
  if (reasons === null) return;
  for (const { system, id: triggerId } of triggers)
    reasons.triggerPassedOver({ system: systemAt(plan, system).key, triggerId, why, missing });
}
