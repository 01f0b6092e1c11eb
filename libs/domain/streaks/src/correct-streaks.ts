import { EFFECT_COLUMNS, NO_NAMES, differenceOf, type AreaCorrection, type CorrectedRows } from '@laurel/kernel';
import { EFFECTS_TABLE, effectsRow } from '@laurel/ports';
import { livingStreak } from './rules/streak-end.ts';
import type { StreaksPlan, StreaksState } from './rules/streaks.ts';
import { STREAK_TABLES } from './tables.ts';

/** Replaces periods and freezes with those of the corrected fold. Emits the present streak, and the former one if it no longer exists. */
export function correctStreaks({
  before,
  after,
  taken,
  given,
  occasion,
  emitter,
}: AreaCorrection<StreaksState> & { readonly plan: StreaksPlan }): CorrectedRows {
  const { added, removed } = differenceOf(STREAK_TABLES, taken, given);
  const { occurredAt: at } = occasion;
  const [was, is] = [livingStreak(before, at)?.length ?? 0, livingStreak(after, at)?.length ?? 0];
  if (is === 0 && was > 0) emitter.emit({ type: 'StreakEnded', length: was, generation: before.generation });
  else if (is !== was) emitter.emit({ type: 'StreakRevived', length: is });
  const granted = after.held - before.held;
  if (granted !== 0) emitter.emit({ type: 'FreezesGranted', granted, held: after.held });
  const streaks = EFFECT_COLUMNS.streaks.encode(emitter.effects, occasion, NO_NAMES);
  return {
    added: streaks === null ? added : new Map([...added, [EFFECTS_TABLE, [effectsRow(occasion, { streaks })]]]),
    removed,
  };
}
