import { pointsTriggerKind } from '@laurel/kernel';
import type { PointsTriggerDocument } from '@laurel/schemas';

/** How a trigger is called in a path: `.daily` by its key, else by its content: `["10 for every 3 words"]`. */
export const triggerSegment = (trigger: PointsTriggerDocument): string =>
  trigger.key === undefined ? `["${pointsTriggerKind(trigger.type).name(trigger)}"]` : `.${trigger.key}`;
