import { formatInstant, type Instant } from '@laurel/calendar';
import {
  ACHIEVEMENT_TRIGGER_TYPES,
  achievementTriggerKind,
  boundedWindow,
  statusAt,
  type AchievementDefinition,
  type AnsweredAchievementTrigger,
} from '@laurel/kernel';
import type { AchievementAnswer } from './achievement.ts';
import { conditionsAnswer } from './conditions-answer.ts';
import { answeredFields, nullFields } from './declared-answer.ts';

const OF_OTHER_KINDS = nullFields(ACHIEVEMENT_TRIGGER_TYPES.map(achievementTriggerKind));

/**
 * @param achievedAt null if it is not completed, or if the answer is about no user
 * @param at when it is shown; default: as of the completion
 */
export function achievementAnswer(
  definition: AchievementDefinition,
  achievedAt: Instant | null,
  at: Instant | null = achievedAt,
): AchievementAnswer {
  const { id, key, name, description, badgeUrl, group, tier, hidden, trigger, where } = definition;
  return {
    id,
    key,
    trigger: trigger.type,
    ...OF_OTHER_KINDS,
    ...answeredFields<AnsweredAchievementTrigger>(achievementTriggerKind(trigger.type).answer, trigger),
    name,
    description,
    badgeUrl,
    ...(group !== null && { group }),
    ...(tier !== null && { tier }),
    ...(hidden && { hidden }),
    ...(boundedWindow(definition) !== null && at !== null && { status: statusAt(definition, at) }),
    achievedAt: achievedAt === null ? null : formatInstant(achievedAt),
    ...conditionsAnswer(where),
  };
}
