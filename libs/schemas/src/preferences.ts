import { NOTIFICATION_CHANNELS, NOTIFICATION_TYPES, type Notifications, type NotificationType } from '@laurel/profile';
import { z } from 'zod';
import { must } from './text.ts';
import { named, namedStrictBody } from './named-object.ts';

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
export const preferences = named(
  'Preferences',
  'A user’s notification preferences. A type with an empty list is not sent.',
  {
    notifications: named(
      'NotificationPreferences',
      'The channels that the user wants for each type.',
      byType((type) => channels.meta({ description: DESCRIPTIONS[type], examples: [['email', 'push']] })),
    ),
  },
);
export type PreferencesAnswer = z.infer<typeof preferences>;

/**
 * The body of `PATCH /v1/users/{id}/preferences`. Unknown fields are refused, because the service could not obey them.
 */
export const preferencesRequest = namedStrictBody(
  'PreferencesRequest',
  'Changes to a user’s notification preferences.',
  {
    notifications: namedStrictBody(
      'NotificationChanges',
      'Types that are absent stay unchanged.',
      byType((type) => channels.optional().meta({ description: DESCRIPTIONS[type] })),
    ).optional(),
  },
);

/** The preferences in an answer; a type without a preference has all channels. */
export const preferencesAnswer = (notifications: Notifications): PreferencesAnswer => ({
  notifications: {
    ...(Object.fromEntries(
      NOTIFICATION_TYPES.map((type) => [type, [...(notifications[type] ?? NOTIFICATION_CHANNELS)]]),
    ) as PreferencesAnswer['notifications']),
  },
});
