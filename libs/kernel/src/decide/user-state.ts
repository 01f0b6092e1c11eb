import type { Instant } from '@laurel/calendar';
import { exceedsAttributeLimit, MAX_ATTRIBUTES } from '@laurel/profile';
import type { UserFields } from '../events.ts';
import { refusal, type Refusal, type Replay } from './decision.ts';
import type { ImportOptions } from './open-import.ts';

/**
 * The state that a command about one user is decided on, complete before the decision. In the single writer it is exact. A gateway of the
 * distributed topology passes what it has read, and whatever it does not know as a value that refuses nothing: the append finds replays,
 * erased users and open imports, and the fold keeps every limit by itself.
 */
export interface UserState {
  /** When the command was received. */
  readonly now: Instant;
  /** The event that has used the command's idempotency key; null: none, or the command has no key. */
  readonly original: Pick<Replay, 'eventId'> | null;
  readonly user: UserOnRecord;
  /** Whether the log holds anything of the user. */
  readonly isRecorded: boolean;
  /** Time awards that the user would be owed at once if the command created them; 0: it does not, or none. */
  readonly owed: number;
  /** The options of the account's open import; null: none is open. */
  readonly openImport: ImportOptions | null;
  /** Whether an area has stopped, and has yet to apply what the log holds. */
  readonly areaStopped: boolean;
}

/** What the users area knows of a user. */
export interface UserOnRecord {
  /** Whether an event has created the user, and corrections have left it. */
  readonly isCreated: boolean;
  readonly isErased: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Why a command that says this of a user is refused; null: it is not. */
export function refusalOfFields({ isErased, attributes }: UserOnRecord, fields: UserFields): Refusal | null {
  if (isErased) return refusal('erased');
  return exceedsAttributeLimit(attributes, fields.attributes) ? refusal('too_many_attributes') : null;
}

/** The fields as an event holds them. The limit in force is recorded, so that a replay of the log keeps to it. */
export const recordedFields = (fields: UserFields): UserFields =>
  fields.attributes === undefined ? fields : { ...fields, attributeLimit: MAX_ATTRIBUTES };
