import { add, subtract } from '@laurel/amounts';
import { CORRECTION_TRIGGER, levelReached, type Occasion, type Sink } from '@laurel/kernel';
import type { PointsPlan } from './rules/points-plan.ts';
import { totalsByKey, type PointsState } from './rules/points.ts';

/** One award per system for all that a correction changes in it, and the level that follows. A read takes awards up to the state's position. */
export function correctPoints(
  before: PointsState,
  after: PointsState,
  { position }: Occasion,
  plan: PointsPlan,
  sink: Sink,
): void {
  after.position = position;
  const [was, is] = [new Map(totalsByKey(before, plan)), new Map(totalsByKey(after, plan))];
  for (const system of new Set([...is.keys(), ...was.keys()])) {
    const [past, total] = [was.get(system) ?? 0, is.get(system) ?? 0];
    const awarded = subtract(total, past);
    if (awarded === 0) continue;
    sink.emit({ type: 'PointsAwarded', system, triggerId: CORRECTION_TRIGGER, awarded, total: add(past, awarded) });
    const levels = plan.systems[plan.systemByKey.get(system) ?? -1]?.levels ?? [];
    const [from, to] = [levelReached(levels, past)?.key ?? null, levelReached(levels, total)?.key ?? null];
    if (from !== to) sink.emit({ type: 'LevelChanged', system, from, to });
  }
}
