import { POINTS_TRIGGER_TYPES, pointsTriggerKind, type PointsTriggerType, type WrittenTrigger } from '@laurel/kernel';
import { z } from 'zod';
import { key } from './configuration-fields.ts';
import { documentFields } from './declared-document.ts';

/** A points trigger in an accepted document, with all defaults filled in. */
export type PointsTriggerDocument = {
  [Type in PointsTriggerType]: {
    type: Type;
    /** A key gives the trigger a stable identity. Without it, its content identifies the trigger. */
    key?: string | undefined;
  } & { -readonly [Name in keyof WrittenTrigger<Type>]: WrittenTrigger<Type>[Name] };
}[PointsTriggerType];

const triggerKey = key
  .optional()
  .describe(
    'Gives the trigger a stable identity. Without a key, changing any field but cap, activeUntil and, unless its type is time, activeFrom creates a new trigger.',
  );

/** Built from the declarations of the kinds. */
export const pointsTriggerDocument: z.ZodType<PointsTriggerDocument> = z.discriminatedUnion(
  'type',
  POINTS_TRIGGER_TYPES.map(kindSchema) as [ReturnType<typeof kindSchema>],
) as never;

function kindSchema(type: PointsTriggerType) {
  const { fires, fields } = pointsTriggerKind(type);
  return z.strictObject({ type: z.literal(type), key: triggerKey, ...documentFields(fields) }).describe(fires);
}
