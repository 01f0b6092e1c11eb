import { EFFECT_COLUMNS, changedRows, type AreaCorrection, type CorrectedRows, type Row } from '@laurel/kernel';
import { EFFECTS_TABLE, effectsRow } from '@laurel/ports';
import type { AchievementsPlan } from './rules/achievements-plan.ts';
import { completedKeys, keepCompleted, type AchievementsState } from './rules/achievements-state.ts';
import { COMPLETIONS, COMPLETION_COUNTS } from './tables.ts';

/** Revokes achievements that would not have been completed, unless the correction keeps completions: then existing ones do not change. */
export function correctAchievements(
  correction: AreaCorrection<AchievementsState> & { readonly plan: AchievementsPlan },
): CorrectedRows {
  const { before, after, taken, given, occasion, configuration, keepsAchievements, emitter: out, plan } = correction;
  const { account, subject, position } = occasion;
  const numberOf = (achievement: string) => configuration.names.achievements.numberOf(achievement);
  const [was, is] = [new Set(completedKeys(before, plan)), new Set(completedKeys(after, plan))];
  const gained = [...is].filter((key) => !was.has(key));
  const lost = [...was].filter((key) => !is.has(key));
  for (const achievement of gained) out.emit({ type: 'AchievementCompleted', achievement });
  if (keepsAchievements) keepCompleted(after, lost, plan);
  else for (const achievement of lost) out.emit({ type: 'AchievementRevoked', achievement });

  const completions = changedRows(['achievement'], taken.get(COMPLETIONS.name), given.get(COMPLETIONS.name));
  const isNew = new Set(gained.map(numberOf));
  const rowsOfLost = lost.map((key) => ({ subject, position, achieved_at: null, achievement: numberOf(key) }));
  const counted = keepsAchievements ? gained : [...gained, ...lost];
  const achievements = EFFECT_COLUMNS.achievements.encode(out.effects, occasion, configuration.names);
  const added = new Map<string, readonly Row[]>([
    [
      COMPLETIONS.name,
      keepsAchievements
        ? completions.filter((row) => isNew.has(row['achievement'] as number))
        : [...completions, ...rowsOfLost],
    ],
    [
      COMPLETION_COUNTS.name,
      counted.map((achievement) => ({ account, achievement, partition: 0, completions: is.has(achievement) ? 1 : -1 })),
    ],
  ]);
  if (achievements !== null) added.set(EFFECTS_TABLE, [effectsRow(occasion, { achievements })]);
  return { added, removed: new Map() };
}
