import { z } from 'zod';
import { instant, jsonNumber, noUserAttributes, uuid } from './fields.ts';

/** An achievement as an event's answer names it (specification, section 2; by trigger: section 8). */
export const achievement = z
  .object({
    id: uuid.meta({ description: 'Stays the same whenever the configuration is published again.' }),
    key: z.string().meta({
      description:
        'Its key in the configuration. Calls that complete an achievement with the trigger `api` name this key.',
      examples: ['profile'],
    }),
    trigger: z.enum(['metric', 'streak', 'api', 'achievement']).meta({
      description:
        'What completes it: a total (`metric`), an extension of the streak (`streak`), a call (`api`), or other achievements (`achievement`).',
    }),
    metricId: uuid.nullable().meta({ description: 'The metric; null unless the trigger is `metric`.' }),
    metricName: z
      .string()
      .nullable()
      .meta({ description: 'Name of the metric; null unless the trigger is `metric`.', examples: ['Lessons'] }),
    metricValue: jsonNumber
      .nullable()
      .meta({ description: 'The total that completes it; null unless the trigger is `metric`.', examples: [10] }),
    streakLength: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Only with trigger `streak`: the length that completes it.' }),
    achievementIds: z
      .array(uuid)
      .optional()
      .meta({ description: 'Only with trigger `achievement`: the achievements that together complete it.' }),
    name: z.string().meta({ description: 'Name to show.', examples: ['First lesson'] }),
    description: z.string().nullable().meta({ description: 'Description to show; null if there is none.' }),
    badgeUrl: z
      .string()
      .nullable()
      .meta({
        description: 'Address of a picture; null if there is none.',
        examples: ['https://example.org/first.png'],
      }),
    achievedAt: instant
      .nullable()
      .meta({ description: 'Instant of the event that completed it; null if it is not complete, or of no user.' }),
    userAttributes: noUserAttributes,
  })
  .meta({ id: 'Achievement', description: 'An achievement. Which optional fields it has depends on its `trigger`.' });
export type AchievementAnswer = z.infer<typeof achievement>;

/** An achievement in a list, with how many completed it. */
export const listedAchievement = achievement
  .extend({
    completions: z.number().int().meta({ description: 'How many users completed it.' }),
    rarity: z.number().meta({
      description: 'Percentage of the account’s users who completed it, with two decimals; 0 without users.',
      examples: [33.33],
    }),
  })
  .meta({ id: 'ListedAchievement', description: 'An achievement, and how many users completed it.' });
export type ListedAchievement = z.infer<typeof listedAchievement>;
