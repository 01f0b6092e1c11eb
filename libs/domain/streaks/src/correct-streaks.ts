import { EFFECT_COLUMNS, NO_NAMES, differenceOf, type AreaCorrection, type CorrectedRows } from '@laurel/kernel';
import { EFFECTS_TABLE, effectsRow } from '@laurel/ports';
import { livingStreak } from './rules/streak-end.ts';
import type { StreaksPlan } from './rules/streaks-plan.ts';
import type { StreaksState } from './rules/streaks-state.ts';
import { STREAK_TABLES } from './tables.ts';

/** Replaces periods and freezes with those of the corrected fold. Emits the present streak, and the former one if it no longer exists. */
export function correctStreaks({
  before,
  after,
  taken,
  given,
  occasion,
  emitter: out,
}: AreaCorrection<StreaksState> & { readonly plan: StreaksPlan }): CorrectedRows {
  const { added, removed } = differenceOf(STREAK_TABLES, taken, given);
  const { occurredAt: at } = occasion;
  const [was, is] = [livingStreak(before, at)?.length ?? 0, livingStreak(after, at)?.length ?? 0];
  if (is === 0 && was > 0) out.emit({ type: 'StreakEnded', length: was, generation: before.generation });
  else if (is !== was) out.emit({ type: 'StreakRevived', length: is });
  const granted = after.held - before.held;
  if (granted !== 0) out.emit({ type: 'FreezesGranted', granted, held: after.held });
  const streaks = EFFECT_COLUMNS.streaks.encode(out.effects, occasion, NO_NAMES);
  return {
    added: streaks === null ? added : new Map([...added, [EFFECTS_TABLE, [effectsRow(occasion, { streaks })]]]),
    removed,
  };
}
