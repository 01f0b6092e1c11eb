import type { Subject } from './subject.ts';
import type { AreaName } from './area-names.ts';

/** A user whose stored state cannot be read. */
export interface DamagedState {
  readonly account: string;
  readonly subject: Subject;
  /** The area whose state it is; null if the whole row cannot be read. */
  readonly area: AreaName | null;
  /** The error of the read. */
  readonly reason: string;
}

/** The command that rebuilds the damaged state from the log. */
export const repairCommand = ({ area }: Pick<DamagedState, 'area'>): string =>
  area === null ? 'laurel rebuild' : `laurel rebuild ${area}`;

/** The damaged part of a user's state, for people. */
export const damagedPart = ({ area }: Pick<DamagedState, 'area'>): string => (area === null ? 'row' : `${area} state`);

/**
 * Names user, account, area and the command that repairs it.
 * @param userId the id that a request names; default: the user's subject
 */
export const describeDamage = (damage: DamagedState, userId?: string): string =>
  `The stored ${damagedPart(damage)} of ${userId === undefined ? `subject ${damage.subject}` : `user ${JSON.stringify(userId)}`} of account ${damage.account} is damaged; run: ${repairCommand(damage)}`;
