import {
  ACHIEVEMENT_TRIGGER_TYPES,
  ACTIVITY_STATUSES,
  type AnsweredAchievementTrigger,
  achievementTriggerKind,
} from '@laurel/kernel';
import { z } from 'zod';
import { anyOf, answerFields } from './declared-answer.ts';
import { conditionFields } from './conditions-answer.ts';
import { instant, jsonNumber, nullableText, uuid, whole } from './fields.ts';
import { named } from './named-object.ts';

const KINDS = ACHIEVEMENT_TRIGGER_TYPES.map((type) => ({ type, ...achievementTriggerKind(type) }));

/** An achievement in an event's answer (specification, section 2; by trigger: section 8). */
export const achievement = named(
  'Achievement',
  'An achievement. Which optional fields it has depends on its `trigger`.',
  {
    id: uuid.meta({ description: 'Stays the same whenever the configuration is published again.' }),
    key: z.string().meta({
      description:
        'Its key in the configuration. Calls that complete an achievement with the trigger `api` name this key.',
      examples: ['profile'],
    }),
    trigger: z.enum([...ACHIEVEMENT_TRIGGER_TYPES]).meta({
      description: `What completes it: ${anyOf(KINDS.map(({ type, by }) => `${by} (\`${type}\`)`))}.`,
    }),
    ...answerFields<AnsweredAchievementTrigger>(KINDS),
    name: z.string().meta({ description: 'Name to show.', examples: ['First lesson'] }),
    description: nullableText.meta({ description: 'Description to show; null if there is none.' }),
    badgeUrl: nullableText.meta({
      description: 'Address of a picture; null if there is none.',
      examples: ['https://example.org/first.png'],
    }),
    group: z
      .string()
      .optional()
      .meta({
        description: 'Only if configured: key of the group of achievements that it belongs to.',
        examples: ['reading'],
      }),
    tier: whole
      .optional()
      .meta({ description: 'Only if configured: its place among the achievements of its group.', examples: [1] }),
    hidden: z.literal(true).optional().meta({
      description: 'Only if configured: lists show it only to users who have completed it.',
    }),
    status: z.enum(ACTIVITY_STATUSES).optional().meta({
      description:
        'Only with `activeFrom` or `activeUntil` configured: whether events complete it now; of a completion, at its instant.',
    }),
    achievedAt: instant
      .nullable()
      .meta({ description: 'Instant of the event that completed it; null if it is not complete, or of no user.' }),
    ...conditionFields,
  },
);
export type AchievementAnswer = z.infer<typeof achievement>;

/** An achievement in a list, with the number of users who completed it. */
export const listedAchievement = achievement
  .extend({
    completions: whole.meta({ description: 'How many users completed it.' }),
    rarity: z.number().meta({
      description: 'Percentage of the account’s users who completed it, with two decimals; 0 without users.',
      examples: [33.33],
    }),
  })
  .meta({ id: 'ListedAchievement', description: 'An achievement, and how many users completed it.' });
export type ListedAchievement = z.infer<typeof listedAchievement>;

const progress = named('AchievementProgress', 'How far a user is with an achievement.', {
  have: jsonNumber.meta({
    description:
      'While it is not complete: the user’s total of the metric, or the sum of the events that match its condition, the length of their streak now, or how many of the achievements they have completed. Complete: the same as `need`.',
    examples: [435],
  }),
  need: jsonNumber.meta({ description: 'What completes it.', examples: [500] }),
});

/** An achievement in a list of one user. */
export const userAchievement = listedAchievement
  .extend({
    progress: progress.optional().meta({
      description: 'How far the user is; absent with trigger `api`, which counts nothing.',
    }),
  })
  .meta({ id: 'UserAchievement', description: 'An achievement, how far a user is, and how many users completed it.' });
export type UserAchievementAnswer = z.infer<typeof userAchievement>;
