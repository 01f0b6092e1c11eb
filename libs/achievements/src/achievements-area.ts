import { formatInstant } from '@laurel/calendar';
import {
  areaOf,
  EFFECTS,
  effectsOfType,
  effectsRow,
  type AchievementsSection,
  type Applied,
  type Effect,
  type Row,
  type Rows,
} from '@laurel/contracts';
import { achievementsRules, type AchievementsPlan, type AchievementsState } from './rules/achievements.ts';
import { encodeAchievementEffects } from './achievement-effects.ts';
import { ACHIEVEMENT_EFFECTS, COMPLETIONS, COMPLETION_COUNTS } from './tables.ts';

/** Which achievements a user has completed, and when (specification, section 5). */
export const achievementsArea = areaOf<AchievementsState, AchievementsPlan, AchievementsSection>({
  name: 'achievements',
  /** 2: tables by subject. 3: achievements by number. 4: completions as effects of their event, too. A state has the same form in all. */
  stateVersion: 4,
  tables: [ACHIEVEMENT_EFFECTS, COMPLETIONS, COMPLETION_COUNTS],
  digest: `(
    select coalesce(jsonb_agg(key order by key), '[]') from jsonb_array_elements(achievements) key)`,
  rules: achievementsRules,
  needs: ['users', 'streaks'],
  section: ({ effects }) => ({
    completed: completedIn(effects).map(({ achievement, at }) => ({ key: achievement, achievedAt: at })),
  }),
  rows: rowsOf,
  view: () => ({ completed: [] }),
});

const completedIn = (effects: readonly Effect[]) => effectsOfType(effects, 'AchievementCompleted');

function rowsOf({ occasion, effects, configuration }: Applied<AchievementsState, AchievementsPlan>): Rows {
  const achievements = encodeAchievementEffects(effects, configuration.names);
  if (achievements === null) return new Map();
  const completed = completedIn(effects);
  const { account, subject, position } = occasion;
  return new Map<string, readonly Row[]>([
    [EFFECTS, [effectsRow(occasion, { achievements })]],
    [
      COMPLETIONS.name,
      completed.map(({ achievement, at }) => ({
        subject,
        position,
        achieved_at: formatInstant(at),
        achievement: configuration.names.achievements.numberOf(achievement),
      })),
    ],
    [
      COMPLETION_COUNTS.name,
      completed.map(({ achievement }) => ({ account, achievement, partition: 0, completions: 1 })),
    ],
  ]);
}
