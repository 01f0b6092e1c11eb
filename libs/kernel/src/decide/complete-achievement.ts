import { isActiveAt } from '../active-window.ts';
import type { CompleteAchievement } from '../commands.ts';
import type { AchievementCompletedByCall } from '../events.ts';
import { accepted, refusal, type Decision } from './decision.ts';
import { recordedFields, refusalOfFields, type UserState } from './user-state.ts';

/**
 * Does not check whether the user has already completed the achievement: the achievements area finds that when it
 * applies the event.
 */
export function completeAchievement(
  command: CompleteAchievement,
  { now, user }: UserState,
): Decision<AchievementCompletedByCall> {
  const refused = refusalOfFields(user, command.user);
  if (refused !== null) return refused;
  if (command.window !== undefined && !isActiveAt(command.window, now)) return refusal('not_active');
  const event: AchievementCompletedByCall = {
    type: 'AchievementCompletedByCall',
    subject: command.subject,
    achievement: command.achievement,
    user: recordedFields(command.user),
  };
  return accepted({ occurredAt: now, event });
}
