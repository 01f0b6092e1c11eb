import type { Instant } from '@laurel/calendar';
import type { Configuration } from './configuration.ts';
import type { UserOnRecord } from './decide/user-state.ts';
import type { Emitter } from './emitting.ts';
import type { Occasion } from './occasion.ts';

/**
 * The rules of an area whose state belongs to one user.
 *
 * `apply` is deterministic and reads only its arguments; it changes the state and emits effects. If it throws, the
 * state may be half written, and the caller drops it.
 */
export interface UserRules<State, Plan> {
  /** Compiles a configuration version, once. Each version has its own plan. */
  compile(configuration: Configuration): Plan;
  /** The state of a user without any recorded event. */
  initial(plan: Plan): State;
  /** A copy that can be written without changing the original. */
  clone(state: State): State;
  apply(state: State, occasion: Occasion, plan: Plan, emitter: Emitter): void;
  /** Encodes the state as plain JSON that names everything by key, so that it can be read under any plan. */
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
  /** See `UserArea.boostsHeld`. */
  boostsHeld?(state: State, plan: Plan, system: string, at: Instant): number;
  /** See `UserArea.isLate`. */
  isLate?(state: State, occurredAt: Instant): boolean;
}
