import { formatAmount } from '@laurel/amounts';
import { parseInstant } from '@laurel/calendar';
import type { Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { documentAmount, type PointsTriggerDocument } from '@laurel/schemas';

/**
 * The content of a trigger, the same for every way of writing it: by it a trigger without a key is known (specification,
 * section 6). Ids in the log are derived from it, so what it gives for a trigger must never change.
 */
export function triggerContent(trigger: PointsTriggerDocument): string {
  return JSON.stringify([trigger.type, trigger.points, ...ownContent(trigger)]);
}

/** How a trigger is known within its points system: by its key, or else by its content (specification, section 6). */
export function triggerIdentity(trigger: PointsTriggerDocument): readonly ['key' | 'content', string] {
  return trigger.key === undefined ? ['content', triggerContent(trigger)] : ['key', trigger.key];
}

function ownContent(trigger: PointsTriggerDocument): (string | number | null)[] {
  switch (trigger.type) {
    case 'metric':
      return [trigger.metric, formatAmount(amountIn(trigger.threshold))];
    case 'streak':
      return [trigger.length];
    case 'achievement':
      return [trigger.achievement];
    case 'user_creation':
      return [];
    case 'time':
      return [trigger.unit, trigger.interval, activeFrom(trigger)];
  }
}

/** The amount of a threshold in an accepted document. */
export function amountIn(value: number): Amount {
  const amount = documentAmount(value);
  if (amount === null) throw new RangeError(`no threshold: ${value}`);
  return amount;
}

/** The instant before which a time trigger gives nothing; null: none was set. */
export function activeFrom(trigger: PointsTriggerDocument & { type: 'time' }): Instant | null {
  return trigger.activeFrom === null ? null : parseInstant(trigger.activeFrom);
}
