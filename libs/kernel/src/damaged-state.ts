import type { Subject } from './subject.ts';
import type { AreaName } from './area-names.ts';

/** A user of whom the stored state cannot be read. */
export interface DamagedState {
  readonly account: string;
  readonly subject: Subject;
  /** Whose state it is; null: the row as a whole cannot be read. */
  readonly area: AreaName | null;
  /** What went wrong when it was read. */
  readonly reason: string;
}

/** The command that replaces the damaged state by what the log says. */
export const repairCommand = ({ area }: Pick<DamagedState, 'area'>): string =>
  area === null ? 'laurel rebuild' : `laurel rebuild ${area}`;

/** What of a user is damaged, for people. */
export const damagedPart = ({ area }: Pick<DamagedState, 'area'>): string => (area === null ? 'row' : `${area} state`);

/**
 * Names user, account, area and the command that repairs it.
 * @param userId as a request names the user; absent: by their subject
 */
export const describeDamage = (damage: DamagedState, userId?: string): string =>
  `The stored ${damagedPart(damage)} of ${userId === undefined ? `subject ${damage.subject}` : `user ${JSON.stringify(userId)}`} of account ${damage.account} is damaged; run: ${repairCommand(damage)}`;
