import {
  ACHIEVEMENT_TRIGGER_TYPES,
  achievementTriggerKind,
  type AchievementTriggerType,
  type WrittenAchievementTrigger,
} from '@laurel/kernel';
import { z } from 'zod';
import { documentFields } from './declared-document.ts';

/** An achievement trigger in an accepted document. */
export type AchievementTriggerDocument = {
  [Type in AchievementTriggerType]: { type: Type } & {
    -readonly [Name in keyof WrittenAchievementTrigger<Type>]: WrittenAchievementTrigger<Type>[Name];
  };
}[AchievementTriggerType];

/** Built from the declarations of the kinds. */
export const achievementTriggerDocument: z.ZodType<AchievementTriggerDocument> = z.discriminatedUnion(
  'type',
  ACHIEVEMENT_TRIGGER_TYPES.map(kindSchema) as [ReturnType<typeof kindSchema>],
) as never;

function kindSchema(type: AchievementTriggerType) {
  const { completes, fields } = achievementTriggerKind(type);
  return z.strictObject({ type: z.literal(type), ...documentFields(fields) }).describe(completes);
}
