import { z } from 'zod';
import { instant, jsonNumber, noUserAttributes } from './fields.ts';

/** An achievement as an event's answer names it (specification, section 2; by trigger: section 8). */
export const achievement = z
  .object({
    id: z.string(),
    trigger: z.enum(['metric', 'streak', 'api', 'achievement']),
    metricId: z.string().nullable(),
    metricName: z.string().nullable(),
    metricValue: jsonNumber.nullable(),
    streakLength: z.number().int().optional().meta({ description: 'Trigger streak only.' }),
    achievementIds: z.array(z.string()).optional().meta({ description: 'Trigger achievement only.' }),
    key: z.string().optional().meta({ description: 'Trigger api only.' }),
    name: z.string(),
    description: z.string().nullable(),
    badgeUrl: z.string().nullable(),
    achievedAt: instant.nullable(),
    userAttributes: noUserAttributes,
  })
  .meta({ id: 'Achievement' });
export type AchievementAnswer = z.infer<typeof achievement>;

/** An achievement in a list, with how many completed it. */
export const listedAchievement = achievement
  .extend({
    completions: z.number().int(),
    rarity: z.number().meta({ description: '100 × completions ÷ users, two decimals.' }),
  })
  .meta({ id: 'ListedAchievement' });
export type ListedAchievement = z.infer<typeof listedAchievement>;
