import { outcomeKind, type OutcomeType } from '@laurel/kernel';
import type { UserProfile } from '@laurel/ports';

/** Whether the user wants this outcome on any channel. Users choose only among mailed reminders and completions. */
export function isWanted(type: OutcomeType, notifications: UserProfile['notifications']): boolean {
  const { notification } = outcomeKind(type);
  return notification === undefined || notifications[notification]?.length !== 0;
}
