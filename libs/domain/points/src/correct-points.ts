import { add, subtract } from '@laurel/amounts';
import { CORRECTION_TRIGGER, levelReached, type AreaCorrection } from '@laurel/kernel';
import { systemAt, type PointsPlan } from './rules/points-plan.ts';
import { followedOf, totalsByKey } from './rules/points-by-system.ts';
import type { PointsState } from './rules/points-state.ts';

export type PointsCorrection = AreaCorrection<PointsState> & { readonly plan: PointsPlan };

/**
 * Emits one award per system for everything that a correction changes in its total, and the level that follows. Moves the state's position, up to
 * which reads take awards.
 */
export function correctPoints({ before, after, occasion, plan, emitter: out }: PointsCorrection): void {
  after.position = occasion.position;
  const [was, is] = [new Map(totalsByKey(before, plan)), new Map(totalsByKey(after, plan))];
  for (const system of new Set([...is.keys(), ...was.keys()])) {
    const [past, total] = [was.get(system) ?? 0, is.get(system) ?? 0];
    const awarded = subtract(total, past);
    if (awarded !== 0)
      out.emit({ type: 'PointsAwarded', system, triggerId: CORRECTION_TRIGGER, awarded, total: add(past, awarded) });
    const place = plan.systemByKey.get(system);
    if (place === undefined) continue;
    const { levels } = systemAt(plan, place);
    const [from, to] = [before, after].map((state) => {
      const points = followedOf(state, systemAt(plan, place), place);
      return levelReached(levels, points)?.key ?? null;
    }) as [string | null, string | null];
    if (from !== to) out.emit({ type: 'LevelChanged', system, from, to });
  }
}
