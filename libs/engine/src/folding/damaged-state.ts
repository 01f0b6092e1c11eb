import type { AreaName } from '@laurel/kernel';
import type { UserRef } from './document.ts';

/** A user's stored state cannot be read, or an area cannot work with it. */
export class DamagedStateError extends Error {
  override readonly name = 'DamagedStateError';
  readonly user: UserRef;
  readonly area: AreaName;

  constructor({ account, subject }: UserRef, area: AreaName, cause: unknown) {
    super(`the stored ${area} state of subject ${subject} of account ${account} is damaged: ${messageOf(cause)}`, {
      cause,
    });
    this.user = { account, subject };
    this.area = area;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs an area's work on a user's state. @throws DamagedStateError if the work throws anything */
export function ofState<T>(user: UserRef, { name }: { readonly name: AreaName }, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new DamagedStateError(user, name, cause);
  }
}
