import {
  POINTS_TRIGGER_TYPES,
  pointsTriggerKind,
  type AnswerField,
  type AnsweredFields,
  type PointsTrigger,
} from '@laurel/kernel';
import type { Amount } from '@laurel/amounts';
import { z } from 'zod';
import { jsonNumber, uuid } from './fields.ts';
import { jsonAmount } from './write-json.ts';

type AnswerFieldSchemas = { [Name in keyof AnsweredFields]-?: z.ZodOptional<z.ZodType<AnsweredFields[Name]>> };

/** The fields that answers have of triggers, each of them only of its kind. */
export const answerFields = (): AnswerFieldSchemas =>
  Object.fromEntries(
    POINTS_TRIGGER_TYPES.flatMap((type) =>
      Object.entries(pointsTriggerKind(type).answer).map(([name, field]) => [name, schemaOf(field)] as const),
    ),
  ) as unknown as AnswerFieldSchemas;

function schemaOf({ holds, description, examples }: AnswerField<never>) {
  const about = { description, ...(examples !== undefined && { examples: [...examples] }) };
  return valueSchema(holds).optional().meta(about);
}

function valueSchema(holds: AnswerField<never>['holds']) {
  switch (holds) {
    case 'id':
      return uuid;
    case 'name':
      return z.string();
    case 'amount':
      return jsonNumber;
    case 'whole':
      return z.number().int();
    default:
      return z.enum([...holds.of]);
  }
}

/** What an answer shows of a trigger beside what all kinds have. */
export function answeredFields(trigger: PointsTrigger): AnsweredFields {
  const { answer } = pointsTriggerKind(trigger.type);
  const shown: Record<string, unknown> = {};
  for (const [name, { holds, of }] of Object.entries(answer)) {
    const value = of(trigger);
    shown[name] = holds === 'amount' ? jsonAmount(value as Amount) : value;
  }
  return shown;
}
