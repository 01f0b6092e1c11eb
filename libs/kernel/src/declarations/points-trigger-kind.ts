import type { AnswersOver, CompiledFields, Fields, WrittenFields } from './field.ts';

/**
 * Declares a kind of points trigger. The document's schema, the content that identifies a trigger without a key, plans, answers and
 * explanations are made of it; its behaviour is in the rules of the points area.
 */
export interface PointsTriggerKind<All extends Fields, Answers extends AnswersOver<All>, Miss extends string> {
  /** When it fires, for authors of configurations. */
  readonly fires: string;
  /** In the order of the document. Ids in the log are derived from the values in this order, so it never changes (specification, section 6). */
  readonly fields: All;
  /** The name of a trigger without a key in paths; triggers that differ have different names. */
  readonly name: (written: WrittenFields<All>) => string;
  /** The plan's sentence about a new trigger. */
  readonly whenAdded: (written: WrittenFields<All>) => string;
  /** The plan's sentence about a trigger that an earlier version had. Default: the sentence about a new one. */
  readonly whenReturned?: (written: WrittenFields<All>, version: number) => string;
  /** The plan's addition for a removed trigger. */
  readonly whenRemoved?: string;
  /** The plan's sentence about a changed field, by the values before and after. */
  readonly whenChanged: WhenChanged<All>;
  /** The reason for an award, in a timeline. */
  readonly source: (compiled: CompiledFields<All>) => string;
  /** The fields of answers. */
  readonly answer: Answers;
  /** Why a trigger did not fire with an event, by the reason that explanations name. */
  readonly misses: { readonly [Reason in Miss]: MissWords };
}

export interface MissWords {
  readonly means: string;
  /** The sentence of an explanation about the missing amount or number of periods. Default: `means`. */
  readonly line?: (missing: string) => string;
}

type WhenChanged<All extends Fields> = {
  readonly [Name in Exclude<keyof All, 'points'>]: (
    was: WrittenFields<All>[Name],
    is: WrittenFields<All>[Name],
  ) => string;
} & { readonly points?: (was: number, is: number) => string };

export const kind = <const All extends Fields, const Answers extends AnswersOver<All>, const Miss extends string>(
  declared: PointsTriggerKind<All, Answers, Miss>,
) => declared;
