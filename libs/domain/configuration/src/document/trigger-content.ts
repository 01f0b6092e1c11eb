import { formatAmount } from '@laurel/amounts';
import { parseInstant } from '@laurel/calendar';
import type { Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { pointsTriggerKind, type Field, type WrittenAttributes, type WrittenConditions } from '@laurel/kernel';
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
  return fields.flatMap(([name, field]) => {
    const written: unknown = trigger[name as keyof typeof trigger];
    // A trigger without conditions has the content that it had before there were any.
    return field.holds === 'optional conditions' && written === null ? [] : [contentOf(field, written)];
  });
}

/** The content of a value, independent of notation. */
function contentOf({ holds }: Field, written: unknown): unknown {
  switch (holds) {
    case 'amount':
      return formatAmount(amountIn(written as number));
    case 'optional instant':
      return instantIn(written as string | null);
    case 'optional conditions':
      return canonicalConditions(written as WrittenConditions);
    default:
      return written;
  }
}

/** Conditions independent of order and of whether a single value is written as a list. */
export function canonicalConditions(written: WrittenConditions): WrittenConditions {
  const canonical = (required: WrittenAttributes = {}) =>
    Object.fromEntries(
      Object.keys(required)
        .sort()
        .map((key) => [key, [...new Set([required[key] ?? []].flat())].sort()]),
    );
  return {
    ...(written.event && { event: canonical(written.event) }),
    ...(written.user && { user: canonical(written.user) }),
  };
}

/** The amount of a threshold in an accepted document. */
export function amountIn(value: number): Amount {
  const amount = documentAmount(value);
  if (amount === null) throw new RangeError(`not a threshold: ${value}`);
  return amount;
}

/** An instant in an accepted document. */
export const instantIn = (text: string | null): Instant | null => (text === null ? null : parseInstant(text));
