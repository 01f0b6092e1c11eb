import { formatInstant } from '@laurel/calendar';
import {
  areaOf,
  effectsOfType,
  type AchievementsSection,
  type Applied,
  type Effect,
  type Row,
  type Rows,
} from '@laurel/contracts';
import { achievementsRules, type AchievementsPlan, type AchievementsState } from './rules/achievements.ts';
import { COMPLETIONS, COMPLETION_COUNTS } from './tables.ts';

/** Which achievements a user has completed, and when (specification, section 5). */
export const achievementsArea = areaOf<AchievementsState, AchievementsPlan, AchievementsSection>({
  name: 'achievements',
  /** 2: tables by subject. 3: achievements by number. A state has the same form in all. */
  stateVersion: 3,
  tables: [COMPLETIONS, COMPLETION_COUNTS],
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
  const completed = completedIn(effects);
  if (completed.length === 0) return new Map();
  const { account, subject, position } = occasion;
  return new Map<string, readonly Row[]>([
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
