import type { Amount } from '@laurel/amounts';
import type { AnswerField } from '@laurel/kernel';
import { z } from 'zod';
import { jsonNumber, uuid, whole } from './fields.ts';
import { jsonAmount } from './write-json.ts';

type Answer = Readonly<Record<string, AnswerField<object>>>;

type SchemasOf<Answered> = {
  [Name in keyof Answered]-?: undefined extends Answered[Name]
    ? z.ZodOptional<z.ZodType<NonNullable<Answered[Name]>>>
    : z.ZodType<Answered[Name]>;
};

/** The schemas of the fields of answers about these kinds. */
export const answerFields = <Answered>(kinds: readonly { readonly answer: Answer }[]): SchemasOf<Answered> =>
  Object.fromEntries(
    kinds.flatMap(({ answer }) => Object.entries(answer).map(([name, field]) => [name, schemaOf(field)] as const)),
  ) as unknown as SchemasOf<Answered>;

function schemaOf({ holds, nullable, description, examples }: AnswerField<never>) {
  const about = { description, ...(examples !== undefined && { examples: [...examples] }) };
  const value = valueSchema(holds);
  return (nullable ? value.nullable() : value.optional()).meta(about);
}

function valueSchema(holds: AnswerField<never>['holds']) {
  switch (holds) {
    case 'id':
      return uuid;
    case 'ids':
      return z.array(uuid);
    case 'name':
      return z.string();
    case 'amount':
      return jsonNumber;
    case 'whole':
      return whole;
    default:
      return z.enum([...holds.of]);
  }
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** A list for descriptions: `a, b, or c`. */
export const anyOf = (all: readonly string[]): string => alternatives.format(all);

/** The fields that are null for kinds that do not have them. */
export const nullFields = (kinds: readonly { readonly answer: Answer }[]): Readonly<Record<string, null>> =>
  Object.fromEntries(
    kinds.flatMap(({ answer }) =>
      Object.entries(answer).flatMap(([name, { nullable }]) => (nullable ? [[name, null] as const] : [])),
    ),
  );

/** The fields of an answer about a compiled trigger. */
export function answeredFields<Answered>(answer: Answer, compiled: object): Answered {
  const shown: Record<string, unknown> = {};
  for (const [name, { holds, of }] of Object.entries(answer)) {
    const value = of(compiled);
    shown[name] = holds === 'amount' ? jsonAmount(value as Amount) : value;
  }
  return shown as Answered;
}
