import { NOTIFICATION_CHANNELS, NOTIFICATION_TYPES, type Notifications, type NotificationType } from '@laurel/profile';
import { z } from 'zod';
import { must, mustHaveKnownFields } from './text.ts';

const WHAT_CHANNELS = 'a list of email and push, each at most once';

const channels = z
  .array(z.enum(NOTIFICATION_CHANNELS, must('email or push')), must(WHAT_CHANNELS))
  .max(NOTIFICATION_CHANNELS.length, `must be ${WHAT_CHANNELS}`)
  .refine((list) => new Set(list).size === list.length, `must be ${WHAT_CHANNELS}`);

const DESCRIPTIONS: Readonly<Record<NotificationType, string>> = {
  achievement_completed: 'Of a completed achievement: `emails.achievement_due`.',
  recap: 'Of what they did in a week: `emails.recap_due`.',
  reactivation: 'Of days without an event: `emails.reactivation_due`.',
  streak_reminder: 'Of a period that is not met: `streak.at_risk` and `emails.streak_reminder_due`.',
};

const byType = <Schema extends z.ZodType>(schemaOf: (type: NotificationType) => Schema) =>
  Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, schemaOf(type)])) as Record<NotificationType, Schema>;

/** `GET` and `PATCH /v1/users/{id}/preferences` (specification, section 8.10). */
export const preferences = z
  .object({
    notifications: z
      .object(byType((type) => channels.meta({ description: DESCRIPTIONS[type], examples: [['email', 'push']] })))
      .meta({ id: 'NotificationPreferences', description: 'The channels that the user wants for each type.' }),
  })
  .meta({
    id: 'Preferences',
    description: 'A user’s notification preferences. A type with an empty list is not sent.',
  });
export type PreferencesAnswer = z.infer<typeof preferences>;

/** The body of `PATCH /v1/users/{id}/preferences`. A field that is not known is refused: what was meant would not be kept to. */
export const preferencesRequest = z
  .strictObject(
    {
      notifications: z
        .strictObject(
          byType((type) => channels.optional().meta({ description: DESCRIPTIONS[type] })),
          mustHaveKnownFields,
        )
        .meta({ id: 'NotificationChanges', description: 'Types that are absent stay unchanged.' })
        .optional(),
    },
    mustHaveKnownFields,
  )
  .meta({ id: 'PreferencesRequest', description: 'Changes to a user’s notification preferences.' });

/** As every answer shows it: a type of which nothing was said has all channels. */
export const preferencesAnswer = (notifications: Notifications): PreferencesAnswer => ({
  notifications: {
    ...(Object.fromEntries(
      NOTIFICATION_TYPES.map((type) => [type, [...(notifications[type] ?? NOTIFICATION_CHANNELS)]]),
    ) as PreferencesAnswer['notifications']),
  },
});
