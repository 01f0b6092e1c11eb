import {
  POINTS_TRIGGER_TYPES,
  pointsTriggerKind,
  type Field,
  type PointsTriggerType,
  type WrittenTrigger,
} from '@laurel/kernel';
import { z } from 'zod';
import { amount, instant, key, length, points } from './configuration-fields.ts';

/** A points trigger as it was accepted, with every default filled in. */
export type PointsTriggerDocument = {
  [Type in PointsTriggerType]: {
    type: Type;
    /** Gives it a stable identity. Absent: it is known by its content. */
    key?: string | undefined;
  } & { -readonly [Name in keyof WrittenTrigger<Type>]: WrittenTrigger<Type>[Name] };
}[PointsTriggerType];

const triggerKey = key
  .optional()
  .describe('Gives the trigger a stable identity. Without a key, changing any field creates a new trigger.');

/** Made of the declarations of the kinds. */
export const pointsTriggerDocument: z.ZodType<PointsTriggerDocument> = z.discriminatedUnion(
  'type',
  POINTS_TRIGGER_TYPES.map(kindSchema) as [ReturnType<typeof kindSchema>],
) as never;

function kindSchema(type: PointsTriggerType) {
  const { fires, fields } = pointsTriggerKind(type);
  const shape = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]));
  return z.strictObject({ type: z.literal(type), key: triggerKey, ...shape }).describe(fires);
}

function fieldSchema(field: Field): z.ZodType {
  switch (field.holds) {
    case 'metric':
    case 'achievement':
      return key.describe(field.prose);
    case 'amount':
      return amount.describe(field.prose);
    case 'length':
      return length.describe(field.prose);
    case 'points':
      return points.describe(field.prose);
    case 'whole':
      return z.int().min(field.least).max(field.most).describe(field.prose);
    case 'choice':
      return z.enum([...field.of]).describe(field.prose);
    case 'optional instant':
      return instant.nullable().default(null).describe(field.prose);
  }
}
