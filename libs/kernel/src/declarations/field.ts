import type { Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { Metric } from '../configuration.ts';
import type { Conditions, WrittenConditions } from '../conditions.ts';
import type { PointsCap, WrittenCap } from '../points-cap.ts';

/** A field of a declared kind: the type of its value, and its description for authors of configurations. */
export type Field = FieldValue & {
  readonly prose: string;
  /** Present if a trigger without a key stays the same trigger when the value changes. */
  readonly identifies?: false;
};

type FieldValue =
  | { readonly holds: 'metric' | 'achievement' | 'achievements' | 'amount' | 'length' | 'points' }
  | { readonly holds: 'optional instant' | 'optional cap' }
  | { readonly holds: 'optional conditions'; readonly on: readonly (keyof WrittenConditions)[] }
  | { readonly holds: 'whole'; readonly least: number; readonly most: number }
  | { readonly holds: 'choice'; readonly of: readonly string[] };

export type Fields = Readonly<Record<string, Field>>;

/** Its value in a document: a key, a number, a text, a cap, or an instant in ISO form. */
type Written<One extends Field> = One extends { readonly holds: 'metric' | 'achievement' }
  ? string
  : One extends { readonly holds: 'achievements' }
    ? readonly string[]
    : One extends { readonly holds: 'optional instant' }
      ? string | null
      : One extends { readonly holds: 'optional cap' }
        ? WrittenCap | null
        : One extends { readonly holds: 'optional conditions' }
          ? WrittenConditions | null
          : One extends { readonly holds: 'choice'; readonly of: readonly (infer Choice)[] }
            ? Choice
            : number;

/** Its value in a compiled version. */
type Compiled<One extends Field> = One extends { readonly holds: 'metric' }
  ? Metric
  : One extends { readonly holds: 'achievement' }
    ? NamedAchievement
    : One extends { readonly holds: 'achievements' }
      ? readonly NamedAchievement[]
      : One extends { readonly holds: 'amount' }
        ? Amount
        : One extends { readonly holds: 'points' }
          ? bigint
          : One extends { readonly holds: 'optional instant' }
            ? Instant | null
            : One extends { readonly holds: 'optional cap' }
              ? PointsCap | null
              : One extends { readonly holds: 'optional conditions' }
                ? Conditions | null
                : Written<One>;

export interface NamedAchievement {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

export type WrittenFields<All extends Fields> = { readonly [Name in keyof All]: Written<All[Name]> };
export type CompiledFields<All extends Fields> = { readonly [Name in keyof All]: Compiled<All[Name]> };

/** A field of answers about things of one kind. */
export interface AnswerField<Shown> {
  readonly holds: 'id' | 'ids' | 'name' | 'amount' | 'whole' | { readonly of: readonly string[] };
  readonly description: string;
  readonly examples?: readonly (string | number)[];
  /** Present if other kinds show null; otherwise they lack the field. */
  readonly nullable?: true;
  readonly of: (compiled: Shown) => string | number | bigint | readonly string[];
}

export type AnswersOver<All extends Fields> = Readonly<Record<string, AnswerField<CompiledFields<All>>>>;

/** The fields of answers about these kinds. A field is present only for its kind, unless it is nullable. */
export type AnsweredFields<Answer> = Optional<UnionToIntersection<Answer>> & Nullable<UnionToIntersection<Answer>>;

type Optional<All> = { readonly [Name in keyof All as All[Name] extends IsNullable ? never : Name]?: Shown<All[Name]> };
type Nullable<All> = {
  readonly [Name in keyof All as All[Name] extends IsNullable ? Name : never]: Shown<All[Name]> | null;
};
interface IsNullable {
  readonly nullable: true;
}
type Shown<One> = One extends { readonly holds: 'id' | 'name' | { readonly of: readonly string[] } }
  ? string
  : One extends { readonly holds: 'ids' }
    ? string[]
    : number;
type UnionToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/**
 * The names of a kind's fields with this type of value.
 *
 * @param type the name of the kind in a document; an unknown kind has no fields
 */
export const fieldsHolding = (
  kinds: Readonly<Record<string, { readonly fields: Fields }>>,
  type: string | undefined,
  holds: Field['holds'],
): readonly string[] =>
  Object.entries(kinds)
    .filter(([known]) => known === type)
    .flatMap(([, { fields }]) => Object.entries(fields))
    .flatMap(([name, field]) => (field.holds === holds ? [name] : []));
