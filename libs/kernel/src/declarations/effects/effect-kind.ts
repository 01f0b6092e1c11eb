import type { Day } from '@laurel/calendar';
import type { EffectFields, FieldValues } from './effect-field.ts';

/**
 * - `final`: no later event takes it back, whenever the user is settled. It may fire a rule if it has an instant.
 * - `reversible`: a later event may take it back, or it takes back another effect.
 * - `observed`: whether it exists, or what one effect sums up, depends on when the user is settled.
 */
export type Stability = 'final' | 'reversible' | 'observed';

/** The names of keys in the configuration. */
export interface EffectNaming {
  metric(key: string): string;
  achievement(key: string): string;
  system(key: string): string;
  level(system: string, key: string): string;
  /** The name of a system, with what its levels follow unless it is the total. */
  levelsOf(system: string): string;
  /** For example `streak of 7 days`. */
  streak(length: number): string;
  /** The same for a streak of this generation: an earlier definition may have had other periods. */
  streakOf(generation: number, length: number): string;
  period(first: Day): string;
  /** The source of the points. */
  award(award: { readonly triggerId: string; readonly awarded: number | bigint }): string;
  /** A board, with the run if it has several. */
  run(board: string, run: Day): string;
}

/** The name of a field. With `?`, a trailing 0 is left out. */
export type StoredField<Names> = (Names & string) | `${Names & string}?`;

/**
 * The stored form of an effect in its area's column:
 * - as a list that begins with a tag, or, where the tag is null, with a number;
 * - as the one number that stands for a key, or as the same number below 0;
 * - null: a table of the area holds it instead.
 */
export type StoredForm<Names> =
  | readonly [tag: string | null, ...fields: StoredField<Names>[]]
  | { readonly number: Names }
  | { readonly negative: Names }
  | null;

/**
 * Declares an effect: its type, its stored form, its words, and whether it may fire rules. A rule emits it.
 */
export interface EffectKind<All extends EffectFields, Stable extends Stability> {
  /**
   * The kernel fills in `at`, `due` and, beside `due`, `day`, see `Stamp`; a rule gives the others. Reading restores the fields in this
   * order.
   */
  readonly fields: All;
  /** The stored form. It must not be changed in a way that alters how stored rows are read. */
  readonly stored: StoredForm<keyof All>;
  readonly stability: Stable;
  /** What happened, for people: amounts first, names for keys. */
  readonly words: (effect: FieldValues<All>, names: EffectNaming) => string;
}

/** How areas declare their effects. */
export const effect = <const All extends EffectFields, const Stable extends Stability>(
  declared: EffectKind<All, Stable>,
): EffectKind<All, Stable> => declared;

/** A kind for callers that treat all kinds alike. */
export interface AnyEffectKind {
  readonly fields: EffectFields;
  readonly stored: StoredForm<string>;
  readonly stability: Stability;
  readonly words: (effect: never, names: EffectNaming) => string;
}
