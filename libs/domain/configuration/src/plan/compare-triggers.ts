import { conditionsInWords, pointsTriggerKind } from '@laurel/kernel';
import type { PointsSystemDocument, PointsTriggerDocument } from '@laurel/schemas';
import { triggerIdentity } from '../document/trigger-content.ts';
import { activityWords } from './activity-words.ts';
import { added, changed, changedFields, removed } from './change.ts';
import type { Change, Effect } from './change.ts';
import { compareLists, compareOrder } from './compare-lists.ts';
import type { Past } from './past.ts';
import { triggerSegment } from './trigger-name.ts';

/**
 * Compares the triggers of a points system that both versions have; a trigger is identified by its key or else its
 * content (specification, section 6).
 */
export function compareTriggers(before: PointsSystemDocument, after: PointsSystemDocument, past: Past): Change[] {
  const path = `points.${after.key}.triggers`;
  const entries = compareLists(before.triggers, after.triggers, {
    identityOf,
    onAdded: (trigger) => addedTrigger(after, trigger, past),
    onRemoved: (trigger) => [removed(`${path}${triggerSegment(trigger)}`, trigger, whenRemoved(trigger))],
    onKept: (was, is) => changedTrigger(`${path}${triggerSegment(is)}`, was, is),
  });
  return [...entries, ...compareOrder(path, before.triggers.map(nameOf), after.triggers.map(nameOf), ORDER)];
}

export function addedTrigger({ key: system }: PointsSystemDocument, trigger: PointsTriggerDocument, past: Past) {
  const { whenAdded, whenReturned } = pointsTriggerKind(trigger.type);
  const version = past.versionWithTrigger(system, trigger);
  const isNew = version === null || whenReturned === undefined;
  const effect = isNew ? whenAdded(trigger) : whenReturned(trigger, version);
  const conditions = 'where' in trigger ? conditionsInWords(trigger.where) : '';
  const only = conditions === '' ? '' : ` It fires only${conditions}.`;
  const words = `${effect}${only}${activityWords(trigger)}`;
  return [added(`points.${system}.triggers${triggerSegment(trigger)}`, trigger, words)];
}

const identityOf = (trigger: PointsTriggerDocument) => JSON.stringify(triggerIdentity(trigger));
const nameOf = (trigger: PointsTriggerDocument) => triggerSegment(trigger).replace(/^\./, '');

const ORDER =
  'Within one event, triggers of one type fire in the new order, which decides which awards are cut when a total reaches its cap or 0. No id changes.';

function whenRemoved({ type }: PointsTriggerDocument): string {
  const { whenRemoved: more } = pointsTriggerKind(type);
  return `From publication, it gives nothing; what it has given stays.${more === undefined ? '' : ` ${more}`}`;
}

/** Compares two versions of a trigger with a key; without a key, a changed trigger is a new trigger. */
function changedTrigger(path: string, was: PointsTriggerDocument, is: PointsTriggerDocument): Change[] {
  const { whenAdded, fields, whenChanged } = pointsTriggerKind(is.type);
  if (was.type !== is.type) return [changed(path, was, is, `${KEPT} ${whenAdded(is)}`)];
  const effects = Object.keys(fields).map((field): [string, Effect<unknown>] => [
    field,
    field === 'points' ? pointsEffect(is) : (whenChanged[field] ?? ''),
  ]);
  return changedFields<Readonly<Record<string, unknown>>, never>(path, was, is, Object.fromEntries(effects));
}

const KEPT = 'What it has given stays.';

const pointsEffect =
  ({ type }: PointsTriggerDocument) =>
  (was: unknown, is: unknown) => {
    const more = pointsTriggerKind(type).whenChanged['points'];
    return `From publication, it gives ${is as number} each time. ${KEPT}${more === undefined ? '' : ` ${more(was, is)}`}`;
  };
