import type { IdentifyUser } from '../commands.ts';
import type { UserIdentified } from '../events.ts';
import { accepted, type Decision } from './decision.ts';
import { recordedFields, refusalOfFields, type UserState } from './user-state.ts';

export function identifyUser(command: IdentifyUser, { now, user }: UserState): Decision<UserIdentified> {
  const event: UserIdentified = {
    type: 'UserIdentified',
    subject: command.subject,
    user: recordedFields(command.user),
  };
  return refusalOfFields(user, command.user) ?? accepted({ occurredAt: now, event });
}
