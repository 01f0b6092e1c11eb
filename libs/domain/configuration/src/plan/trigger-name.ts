import { pointsTriggerKind } from '@laurel/kernel';
import type { PointsTriggerDocument } from '@laurel/schemas';

/** The name of a trigger in a path: its key (`.daily`) or else its content (`["10 for every 3 words"]`). */
export const triggerSegment = (trigger: PointsTriggerDocument): string =>
  trigger.key === undefined ? `["${pointsTriggerKind(trigger.type).name(trigger)}"]` : `.${trigger.key}`;
