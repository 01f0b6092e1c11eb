import type { Day } from '@laurel/calendar';
import type { EffectFields, FieldValues } from './effect-field.ts';

/**
 * - `final`: no later event takes it back, whoever has looked meanwhile. It may fire a rule if it has an instant.
 * - `reversible`: a later event may take it back, or it takes back another effect.
 * - `observed`: whether it exists, or what one effect sums up, depends on who looks when.
 */
export type Stability = 'final' | 'reversible' | 'observed';

/** Names for keys, as the configuration has them. */
export interface EffectNaming {
  metric(key: string): string;
  achievement(key: string): string;
  system(key: string): string;
  level(system: string, key: string): string;
  /** Such as `streak of 7 days`. */
  streak(length: number): string;
  /** The same of a streak that was kept under a definition of this generation: an earlier one may have had other periods. */
  streakOf(generation: number, length: number): string;
  period(first: Day): string;
  /** What gave the points. */
  award(award: { readonly triggerId: string; readonly awarded: number | bigint }): string;
  /** A board, with the run if it has several. */
  run(board: string, run: Day): string;
}

/** The name of a field. With `?` it is left out where it is 0 and nothing follows. */
export type StoredField<Names> = (Names & string) | `${Names & string}?`;

/**
 * How an area's column holds an effect:
 * - as a list that begins with a tag, or, where the tag is null, with a number;
 * - as the one number that stands for a key, or as the same number below 0;
 * - null: a table of the area holds it, and no column does.
 */
export type StoredForm<Names> =
  | readonly [tag: string | null, ...fields: StoredField<Names>[]]
  | { readonly number: Names }
  | { readonly negative: Names }
  | null;

/**
 * An effect: everything but the rule that emits it. Its type, its stored form, whether it may fire rules, and its words are made of this.
 */
export interface EffectKind<All extends EffectFields, Stable extends Stability> {
  /**
   * The kernel fills in `at`, `due` and, beside `due`, `day`, see `Stamp`. A rule gives the others. An effect that is read has its fields
   * in this order.
   */
  readonly fields: All;
  /** A change must not alter how rows that are already stored are read. */
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
