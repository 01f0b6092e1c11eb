import type { Instant } from '@laurel/calendar';
import type { Configuration } from './configuration.ts';
import type { UserOnRecord } from './decide/user-state.ts';
import type { Emitter } from './emitting.ts';
import type { Occasion } from './occasion.ts';

/**
 * The rules of an area whose state belongs to one user.
 *
 * `apply` is deterministic, reads nothing but its arguments, writes its own state, and emits. It may leave the state half written
 * if it throws: the caller drops it.
 */
export interface UserRules<State, Plan> {
  /** A configuration version, compiled once. Every version has a plan of its own. */
  compile(configuration: Configuration): Plan;
  /** The state of a user without any recorded event. */
  initial(plan: Plan): State;
  /** A copy that can be written without changing the original. */
  clone(state: State): State;
  apply(state: State, occasion: Occasion, plan: Plan, emitter: Emitter): void;
  /** As plain JSON that names things by their keys, so that it can be read under any plan. */
  encode(state: State, plan: Plan): unknown;
  decode(json: unknown, plan: Plan): State;
  /** See `UserArea.dueAt`. */
  dueAt?(state: State, plan: Plan): Instant | null;
  /** See `UserArea.settleBound`. */
  settleBound?(state: State, plan: Plan, upTo: Instant, atMost: number): Instant;
  /** See `UserArea.owed`. */
  owed?(state: State, plan: Plan, upTo: Instant): number;
  /** See `UserArea.knownUser`. */
  readonly knownUser?: (state: State) => UserOnRecord;
  /** See `UserArea.isLate`. */
  isLate?(state: State, occurredAt: Instant): boolean;
}
