import type { Instant } from '@laurel/calendar';
import type { FieldsOf, OutcomeField, OutcomeType, Subject } from '@laurel/kernel';
import type { UserAnswer } from '@laurel/schemas';

/** What is to be an outcome of a type, before it is numbered and written. */
export interface Draft<Type extends OutcomeType = OutcomeType> {
  /** What it is about, which tells it from others of its type and event: a key, a period. */
  readonly subject: string;
  readonly at: Instant;
  /** It is told from others by the instant at which it fell due; absent: by its event. */
  readonly due?: Instant;
  /** The fields of the body behind `user`, as declared. */
  readonly fields: Data<FieldsOf<Type>>;
  /** Whom it concerns; absent: the user of the event. null: no user. */
  readonly user?: ConcernedUser | null;
  /** Whom `fields` names beside that user: it is deleted with any of them. Absent: nobody. */
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

/** The user is added by whoever writes the body. */
type Left = (OutcomeField & { readonly holds: 'user' }) | { readonly optional: true };
