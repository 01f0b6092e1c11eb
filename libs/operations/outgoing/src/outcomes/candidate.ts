import type { Instant } from '@laurel/calendar';
import type { FieldsOf, OutcomeField, OutcomeType, Subject } from '@laurel/kernel';
import type { UserAnswer } from '@laurel/schemas';

/** A future outcome, before it is numbered and written. */
export interface Draft<Type extends OutcomeType = OutcomeType> {
  /** Distinguishes it from other outcomes of its type and event, for example by a key or a period. */
  readonly subject: string;
  readonly at: Instant;
  /** When it fell due, if this instant identifies it instead of the event. */
  readonly due?: Instant;
  /** The declared fields of the body after `user`. */
  readonly fields: Data<FieldsOf<Type>>;
  /** The user concerned, or null for none. Default: the user of the event. */
  readonly user?: ConcernedUser | null;
  /** Other users named in `fields`: the outcome is deleted with any of them. */
  readonly others?: readonly Subject[];
}

/** A draft with its type. */
export interface Candidate extends Omit<Draft, 'fields'> {
  readonly type: OutcomeType;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ConcernedUser {
  readonly subject: Subject;
  readonly answer: UserAnswer;
}

type Data<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends Left ? never : Name]: unknown;
} & { readonly [Name in keyof Fields as Fields[Name] extends { readonly optional: true } ? Name : never]?: unknown };

/** Fields that a draft leaves out: whoever writes the body adds the user. */
type Left = (OutcomeField & { readonly holds: 'user' }) | { readonly optional: true };
