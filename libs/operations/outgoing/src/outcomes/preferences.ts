import { outcomeKind, type OutcomeType } from '@laurel/kernel';
import type { UserProfile } from '@laurel/ports';

/** Whether the user wants it by any channel. Users choose only among reminders and completions to be mailed. */
export function isWanted(type: OutcomeType, notifications: UserProfile['notifications']): boolean {
  const { notification } = outcomeKind(type);
  return notification === undefined || notifications[notification]?.length !== 0;
}
