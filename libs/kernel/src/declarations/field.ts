import type { Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { Metric } from '../configuration.ts';

/** A field of a declared kind: what it holds, and what authors of configurations read about it. */
export type Field =
  | {
      readonly holds: 'metric' | 'achievement' | 'amount' | 'length' | 'points' | 'optional instant';
      readonly prose: string;
    }
  | { readonly holds: 'whole'; readonly least: number; readonly most: number; readonly prose: string }
  | { readonly holds: 'choice'; readonly of: readonly string[]; readonly prose: string };

export type Fields = Readonly<Record<string, Field>>;

/** As a document writes it: a key, a number, a text, or an instant in ISO form. */
type Written<One extends Field> = One extends { readonly holds: 'metric' | 'achievement' }
  ? string
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
  readonly holds: 'id' | 'name' | 'amount' | 'whole' | { readonly of: readonly string[] };
  readonly description: string;
  readonly examples?: readonly (string | number)[];
  readonly of: (compiled: Shown) => string | number | bigint;
}
