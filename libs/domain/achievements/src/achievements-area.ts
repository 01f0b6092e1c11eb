import { formatInstant } from '@laurel/calendar';
import {
  EFFECT_COLUMNS,
  areaOf,
  effectsOfType,
  type AchievementEffect,
  type AchievementsAnswer,
  type StateUnderPlan,
  type Effect,
  type Row,
  type Rows,
  type Step,
} from '@laurel/kernel';
import { EFFECTS_TABLE, effectsRow } from '@laurel/ports';
import { achievementsMigrations } from './migrations.ts';
import { achievementsRules } from './rules/achievements.ts';
import type { AchievementsPlan } from './rules/achievements-plan.ts';
import { completedKeys, type AchievementsState } from './rules/achievements-state.ts';
import { correctAchievements } from './correct-achievements.ts';
import { ACHIEVEMENT_EFFECTS, COMPLETIONS, COMPLETION_COUNTS } from './tables.ts';

/** The elements of a list in a stored state, sorted. */
const sorted = (list: string) =>
  `(select coalesce(jsonb_agg(element order by element), '[]') from jsonb_array_elements(${list}) element)`;

/** Which achievements a user has completed, and when (specification, section 5). */
export const achievementsArea = areaOf<AchievementsState, AchievementsPlan, AchievementsAnswer>({
  name: 'achievements',
  /**
   * Versions. 2: tables by subject. 3: achievements by number. 4: completions are also effects of their event. 5:
   * corrections move events. The state has the same form in all of them.
   */
  stateVersion: 5,
  tables: [ACHIEVEMENT_EFFECTS, COMPLETIONS, COMPLETION_COUNTS],
  migrations: achievementsMigrations,
  readableRows: ['select achieved_at as instant from achievement_completions order by subject limit 1'],
  digest: `case jsonb_typeof(achievements)
    when 'array' then ${sorted('achievements')}
    else jsonb_build_object(
      'completed', ${sorted("achievements -> 'completed'")}, 'sums', ${sorted("achievements -> 'sums'")})
  end`,
  rules: achievementsRules,
  needs: ['users', 'streaks'],
  answerPart: ({ effects }) => ({
    completed: completedIn(effects).map(({ achievement, at }) => ({ key: achievement, achievedAt: at })),
  }),
  rows: rowsOf,
  correct: correctAchievements,
  view: () => ({ completed: [] }),
});

const completedIn = (effects: readonly Effect[]) => effectsOfType(effects, 'AchievementCompleted');

const isOfAchievement = (effect: Effect): effect is AchievementEffect =>
  effect.type === 'AchievementCompleted' || effect.type === 'AchievementRevoked';

function rowsOf(
  { occasion, effects, configuration }: Step,
  own: StateUnderPlan<AchievementsState, AchievementsPlan>,
): Rows {
  if (occasion.event.type === 'UserErased') return countedNoMore(occasion.account, own);
  const achievements = EFFECT_COLUMNS.achievements.encode(effects, occasion, configuration.names);
  if (achievements === null) return new Map();
  const { account, subject, position } = occasion;
  const numberOf = (key: string) => configuration.names.achievements.numberOf(key);
  const changed = effects.filter(isOfAchievement);
  return new Map<string, readonly Row[]>([
    [EFFECTS_TABLE, [effectsRow(occasion, { achievements })]],
    [
      COMPLETIONS.name,
      changed.map(({ type, achievement, at }) => ({
        subject,
        position,
        achieved_at: type === 'AchievementCompleted' ? formatInstant(at) : null,
        achievement: numberOf(achievement),
      })),
    ],
    [
      COMPLETION_COUNTS.name,
      changed.map(({ type, achievement }) => ({
        account,
        achievement,
        partition: 0,
        completions: type === 'AchievementCompleted' ? 1 : -1,
      })),
    ],
  ]);
}

/**
 * Rows that remove an erased user from the numbers of users who completed each achievement. The completions themselves
 * stay.
 */
const countedNoMore = (account: string, { state, plan }: StateUnderPlan<AchievementsState, AchievementsPlan>): Rows =>
  new Map([
    [
      COMPLETION_COUNTS.name,
      completedKeys(state, plan).map((achievement) => ({ account, achievement, partition: 0, completions: -1 })),
    ],
  ]);
