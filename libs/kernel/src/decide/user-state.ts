import type { Instant } from '@laurel/calendar';
import { exceedsAttributeLimit, MAX_ATTRIBUTES } from '@laurel/profile';
import type { UserFields } from '../events.ts';
import { refusal, type Refusal, type Replay } from './decision.ts';
import type { ImportOptions } from './open-import.ts';

/**
 * The state on which a command about one user is decided; it is complete before the decision. In the single writer it
 * is exact. A gateway of the distributed topology passes what it has read, and for everything unknown a value that
 * refuses nothing: the append detects replays, erased users and open imports, and the fold enforces every limit.
 */
export interface UserState {
  /** When the command was received. */
  readonly now: Instant;
  /** The event that used the command's idempotency key, or null if there is none or the command has no key. */
  readonly original: Pick<Replay, 'eventId'> | null;
  readonly user: UserOnRecord;
  /** Whether the log has an event of the user. */
  readonly isRecorded: boolean;
  /** Number of time awards that the user would be owed at once if the command created the user; otherwise 0. */
  readonly owed: number;
  /** The options of the account's open import, or null if none is open. */
  readonly openImport: ImportOptions | null;
  /** The unfinished boosts of their own that the user has in the system of a granted one. Absent for other commands, and if unknown. */
  readonly boostsHeld?: number;
  /** Whether an area has stopped and still has to apply events of the log. */
  readonly areaStopped: boolean;
}

/** The users area's data about a user, for decisions. */
export interface UserOnRecord {
  /** Whether an event has created the user and is not retracted. */
  readonly isCreated: boolean;
  readonly isErased: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

/** The reason to refuse a command with these user fields, or null if there is none. */
export function refusalOfFields({ isErased, attributes }: UserOnRecord, fields: UserFields): Refusal | null {
  if (isErased) return refusal('erased');
  return exceedsAttributeLimit(attributes, fields.attributes) ? refusal('too_many_attributes') : null;
}

/**
 * The fields in the form that an event records. It includes the limit in force, so that replaying the log applies the
 * same limit.
 */
export const recordedFields = (fields: UserFields): UserFields =>
  fields.attributes === undefined ? fields : { ...fields, attributeLimit: MAX_ATTRIBUTES };
