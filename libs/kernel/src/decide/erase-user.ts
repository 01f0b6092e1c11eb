import type { EraseUser } from '../commands.ts';
import type { UserErased } from '../events.ts';
import { accepted, refusal, type Decision } from './decision.ts';
import type { UserState } from './user-state.ts';

/**
 * Refused while an import is open, which may still name the user, and while an area has stopped, which must still apply
 * personal fields.
 */
export function eraseUser(
  { subject, boards, attribution }: EraseUser,
  { now, user, isRecorded, openImport, areaStopped }: UserState,
): Decision<UserErased> {
  if (!isRecorded) return refusal('unknown_user');
  if (user.isErased) return refusal('erased');
  if (openImport !== null) return refusal('import_open');
  if (areaStopped) return refusal('area_stopped');
  const event: UserErased = { type: 'UserErased', subject, boards, ...attribution };
  return accepted({ occurredAt: now, event });
}
