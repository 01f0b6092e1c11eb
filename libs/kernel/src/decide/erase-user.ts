import type { EraseUser } from '../commands.ts';
import type { UserErased } from '../events.ts';
import { accepted, refusal, type Decision } from './decision.ts';
import type { UserState } from './user-state.ts';

/** An open import may still name the user, and an area that has stopped has yet to apply personal fields: nobody is erased before. */
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
