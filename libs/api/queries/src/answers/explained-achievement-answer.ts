import { formatInstant } from '@laurel/calendar';
import { nextCompletion, type AchievementDefinition } from '@laurel/kernel';
import type { ExplainedAchievement } from '@laurel/ports';
import { conditionsAnswer, jsonAmount, type ExplainedAchievementAnswer, type JsonNumber } from '@laurel/schemas';
import { causingEvent } from './explain-answer.ts';

export function explainedAchievementAnswer(
  definition: AchievementDefinition,
  explained: ExplainedAchievement,
): ExplainedAchievementAnswer {
  const { key, trigger, activeFrom, activeUntil, where } = definition;
  const isCompleted = explained.status === 'completed';
  return {
    achievement: key,
    trigger: trigger.type,
    status: explained.status,
    ...(activeFrom !== null && { activeFrom: formatInstant(activeFrom) }),
    ...(activeUntil !== null && { activeUntil: formatInstant(activeUntil) }),
    at: isCompleted ? formatInstant(explained.at) : null,
    event: isCompleted ? causingEvent(explained.record) : null,
    revokedBy: isCompleted || explained.revokedBy === null ? null : causingEvent(explained.revokedBy),
    version: isCompleted ? explained.record.configurationVersion : null,
    ...(explained.status === 'open' ? missingOf(explained.missing) : missingOf(null)),
    ...conditionsAnswer(where),
    completesWith: isCompleted ? null : nextCompletion(definition),
    metric: 'metric' in trigger ? trigger.metric.key : null,
  };
}

type Missing = Extract<ExplainedAchievement, { readonly status: 'open' }>['missing'];
type MissingAnswer = Record<'have' | 'need' | 'missing', JsonNumber | null> & { achievements: string[] | null };

function missingOf(missing: Missing): MissingAnswer {
  switch (missing?.type) {
    case 'amount': {
      const [have, need] = [BigInt(missing.have), BigInt(missing.need)];
      return { have: jsonAmount(have), need: jsonAmount(need), missing: jsonAmount(need - have), achievements: null };
    }
    case 'count':
      return { have: missing.have, need: missing.need, missing: missing.need - missing.have, achievements: null };
    case 'achievements':
      return { have: null, need: null, missing: null, achievements: [...missing.achievements] };
    case undefined:
      return { have: null, need: null, missing: null, achievements: null };
  }
}
