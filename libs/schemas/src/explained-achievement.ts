import { NEXT_COMPLETIONS, type NextCompletion, ACHIEVEMENT_TRIGGER_TYPES } from '@laurel/kernel';
import { z } from 'zod';
import { conditionFields } from './conditions-answer.ts';
import { anyOf } from './declared-answer.ts';
import { causingEvent, version } from './explain.ts';
import { instant, jsonNumber, nullableText } from './fields.ts';
import { named } from './named-object.ts';

const missing = {
  have: jsonNumber.nullable().meta({
    description: 'The user’s progress: total of the metric or sum of its matching events, or length of the streak.',
    examples: [7],
  }),
  need: jsonNumber.nullable().meta({ description: 'The value that completes it.', examples: [10] }),
  missing: jsonNumber.nullable().meta({ description: '`need` − `have`.', examples: [3] }),
  achievements: z
    .array(z.string())
    .nullable()
    .meta({
      description: 'Keys of the achievements that must be completed first; null: it depends on no others.',
      examples: [['first']],
    }),
};

/** `GET /admin/v1/users/{id}/explain/achievements/{key}`. */
export const explainedAchievement = named(
  'ExplainedAchievement',
  'Why a user has completed an achievement, or what is missing.',
  {
    achievement: z.string().meta({ description: 'Key of the achievement.', examples: ['profile'] }),
    trigger: z
      .enum([...ACHIEVEMENT_TRIGGER_TYPES])
      .meta({ description: 'What completes it, in the configuration in force.' }),
    status: z.enum(['completed', 'open', 'met', 'inactive', 'user_differs']).meta({
      description:
        '`met`: the condition is met, but no event has come since that could complete it, as after a publication; the next one that `completesWith` names does. `inactive`: only an event between `activeFrom` and `activeUntil` is missing. `user_differs`: only attributes of the user are missing, which `userAttributes` names.',
    }),
    activeFrom: instant.optional().meta({ description: 'Only if configured: events before it do not complete it.' }),
    activeUntil: instant
      .optional()
      .meta({ description: 'Only if configured: events at this instant or later do not complete it.' }),
    at: instant.nullable().meta({ description: 'When it was completed; null: it is not completed.' }),
    event: causingEvent.nullable().meta({ description: 'The event that completed it; null: none.' }),
    revokedBy: causingEvent
      .nullable()
      .meta({ description: 'The grant or correction that took it back after it was last completed; null: none.' }),
    version: version
      .nullable()
      .meta({ description: 'The configuration version of that event; null: it is not completed.' }),
    ...missing,
    ...conditionFields,
    completesWith: z
      .enum(Object.keys(NEXT_COMPLETIONS) as NextCompletion[])
      .nullable()
      .meta({
        description: `What can complete it next: ${anyOf(Object.values(NEXT_COMPLETIONS).map(({ means }) => means))}; null: it is completed.`,
      }),
    metric: nullableText.meta({
      description: 'Key of the metric that it depends on; null: none.',
      examples: ['lessons'],
    }),
  },
);
export type ExplainedAchievementAnswer = z.infer<typeof explainedAchievement>;
