import type { Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { Metric } from '../configuration.ts';

/** A field of a declared kind: what it holds, and what authors of configurations read about it. */
export type Field =
  | {
      readonly holds: 'metric' | 'achievement' | 'achievements' | 'amount' | 'length' | 'points' | 'optional instant';
      readonly prose: string;
    }
  | { readonly holds: 'whole'; readonly least: number; readonly most: number; readonly prose: string }
  | { readonly holds: 'choice'; readonly of: readonly string[]; readonly prose: string };

export type Fields = Readonly<Record<string, Field>>;

/** As a document writes it: a key, a number, a text, or an instant in ISO form. */
type Written<One extends Field> = One extends { readonly holds: 'metric' | 'achievement' }
  ? string
  : One extends { readonly holds: 'achievements' }
    ? readonly string[]
    : One extends { readonly holds: 'optional instant' }
      ? string | null
      : One extends { readonly holds: 'choice'; readonly of: readonly (infer Choice)[] }
        ? Choice
        : number;

/** As a compiled version has it. */
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
            : Written<One>;

export interface NamedAchievement {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

export type WrittenFields<All extends Fields> = { readonly [Name in keyof All]: Written<All[Name]> };
export type CompiledFields<All extends Fields> = { readonly [Name in keyof All]: Compiled<All[Name]> };

/** A field of answers that shows one of a kind. */
export interface AnswerField<Shown> {
  readonly holds: 'id' | 'ids' | 'name' | 'amount' | 'whole' | { readonly of: readonly string[] };
  readonly description: string;
  readonly examples?: readonly (string | number)[];
  /** Other kinds show null. Absent: they do not have the field. */
  readonly nullable?: true;
  readonly of: (compiled: Shown) => string | number | bigint | readonly string[];
}

export type AnswersOver<All extends Fields> = Readonly<Record<string, AnswerField<CompiledFields<All>>>>;

/** What answers show of one of these kinds, each field only of its kind unless it is nullable. */
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
 * The names of a kind's fields that hold this.
 *
 * @param type as a document names the kind; an unknown one has no fields
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
