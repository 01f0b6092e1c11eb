import { formatAmount } from '@laurel/amounts';
import { parseInstant } from '@laurel/calendar';
import type { Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { pointsTriggerKind, type Field } from '@laurel/kernel';
import { documentAmount, type PointsTriggerDocument } from '@laurel/schemas';

/**
 * The content of a trigger, independent of notation. It identifies a trigger without a key (specification, section 6).
 * Ids in the log are derived from it, so its result for a trigger must never change.
 */
export function triggerContent(trigger: PointsTriggerDocument): string {
  return JSON.stringify([trigger.type, trigger.points, ...ownContent(trigger)]);
}

/** Identifies a trigger within its points system: by its key, or else by its content (specification, section 6). */
export function triggerIdentity(trigger: PointsTriggerDocument): readonly ['key' | 'content', string] {
  return trigger.key === undefined ? ['content', triggerContent(trigger)] : ['key', trigger.key];
}

function ownContent(trigger: PointsTriggerDocument): readonly unknown[] {
  const fields = Object.entries(pointsTriggerKind(trigger.type).fields).filter(
    ([name, { identifies }]) => name !== 'points' && identifies !== false,
  );
  return fields.map(([name, field]) => contentOf(field, trigger[name as keyof typeof trigger]));
}

/** The content of a value, independent of notation. */
function contentOf({ holds }: Field, written: unknown): unknown {
  switch (holds) {
    case 'amount':
      return formatAmount(amountIn(written as number));
    case 'optional instant':
      return instantIn(written as string | null);
    default:
      return written;
  }
}

/** The amount of a threshold in an accepted document. */
export function amountIn(value: number): Amount {
  const amount = documentAmount(value);
  if (amount === null) throw new RangeError(`not a threshold: ${value}`);
  return amount;
}

/** An instant in an accepted document. */
export const instantIn = (text: string | null): Instant | null => (text === null ? null : parseInstant(text));
