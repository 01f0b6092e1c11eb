import type { OutcomeType } from '@laurel/kernel';
import type { UserProfile } from '@laurel/ports';

type Notifications = UserProfile['notifications'];

const REMINDERS: Readonly<Partial<Record<OutcomeType, keyof Notifications>>> = {
  'streak.at_risk': 'streak_reminder',
  'emails.streak_reminder_due': 'streak_reminder',
  'emails.recap_due': 'recap',
  'emails.reactivation_due': 'reactivation',
  'emails.achievement_due': 'achievement_completed',
};

/** Whether the user wants it by any channel. What is no reminder does not ask for it. */
export function isWanted(type: OutcomeType, notifications: Notifications): boolean {
  const asked = REMINDERS[type];
  return asked === undefined || notifications[asked]?.length !== 0;
}
