import { isDeepStrictEqual } from 'node:util';
import type { PointsSystemDocument, PointsTriggerDocument } from '@laurel/schemas';
import { triggerIdentity } from '../history/trigger-content.ts';
import { added, changed, changedFields, removed } from './change.ts';
import type { Change, FieldEffects } from './change.ts';
import { compareLists, compareOrder } from './compare-lists.ts';
import type { Past } from './past.ts';
import { intervalInWords, triggerSegment } from './trigger-name.ts';

type Trigger<Type extends PointsTriggerDocument['type']> = PointsTriggerDocument & { readonly type: Type };

/** The triggers of a points system that is in both versions; each is known by its key or else its content (specification, section 6). */
export function compareTriggers(before: PointsSystemDocument, after: PointsSystemDocument, past: Past): Change[] {
  const path = `points.${after.key}.triggers`;
  const entries = compareLists(before.triggers, after.triggers, {
    identityOf,
    onAdded: (trigger) => addedTrigger(after, trigger, past),
    onRemoved: (trigger) => [removed(`${path}${triggerSegment(trigger)}`, trigger, whenRemoved(trigger))],
    onKept: (was, is) => changedTrigger(`${path}${triggerSegment(is)}`, was, is),
  });
  return [...entries, ...compareOrder(path, before.triggers, after.triggers, nameOf, ORDER)];
}

export function addedTrigger({ key: system }: PointsSystemDocument, trigger: PointsTriggerDocument, past: Past) {
  const version = past.versionWithTrigger(system, trigger);
  const effect = version !== null && trigger.type === 'metric' ? whenItReturns(trigger, version) : whenItFires(trigger);
  return [added(`points.${system}.triggers${triggerSegment(trigger)}`, trigger, effect)];
}

const whenItReturns = ({ metric }: Trigger<'metric'>, version: number) =>
  `It was in version ${version}, and continues from what it had counted of ${metric} then. What was recorded since gives nothing.`;

const identityOf = (trigger: PointsTriggerDocument) => JSON.stringify(triggerIdentity(trigger));
const nameOf = (trigger: PointsTriggerDocument) => triggerSegment(trigger).replace(/^\./, '');

const ORDER =
  'Within one event, triggers of one type fire in the new order, which decides which awards are cut when a total reaches its cap or 0. No id changes.';

function whenItFires(trigger: PointsTriggerDocument): string {
  switch (trigger.type) {
    case 'metric':
      return `It counts values of ${trigger.metric} recorded after publication; values recorded before give nothing.`;
    case 'streak':
      return `It fires when a user next extends their streak to a multiple of ${trigger.length}.`;
    case 'achievement':
      return `It fires for users who complete ${trigger.achievement} after publication, not for those who already have.`;
    case 'user_creation':
      return 'It fires for users created after publication; existing users get nothing.';
    case 'time':
      return `It falls due every ${intervalInWords(trigger)}, counted from each user's creation. It gives nothing for the time before ${beginning(trigger)}.`;
  }
}

function beginning({ activeFrom }: Trigger<'time'>): string {
  return activeFrom === null ? 'publication' : `publication or before ${activeFrom}`;
}

function whenRemoved(trigger: PointsTriggerDocument): string {
  const due = trigger.type === 'time' ? ` ${STILL_DUE}` : '';
  return `From publication, it gives nothing; what it has given stays.${due}`;
}

/** Of two versions of a trigger with a key: without one a change makes another trigger. */
function changedTrigger(path: string, was: PointsTriggerDocument, is: PointsTriggerDocument): Change[] {
  switch (is.type) {
    case 'metric':
      return was.type === 'metric' ? changedFields(path, was, is, metricEffects) : anotherType(path, was, is);
    case 'streak':
      return was.type === 'streak' ? changedFields(path, was, is, streakEffects) : anotherType(path, was, is);
    case 'achievement':
      return was.type === 'achievement' ? changedFields(path, was, is, achievementEffects) : anotherType(path, was, is);
    case 'user_creation':
      return was.type === 'user_creation' ? changedFields(path, was, is, creationEffects) : anotherType(path, was, is);
    case 'time':
      return was.type === 'time' ? changedFields(path, was, is, timeEffects) : anotherType(path, was, is);
  }
}

/** With a key that was another type before. */
function anotherType(path: string, was: PointsTriggerDocument, is: PointsTriggerDocument): Change[] {
  return isDeepStrictEqual(was, is) ? [] : [changed(path, was, is, `${KEPT} ${whenItFires(is)}`)];
}

type TriggerEffects<Type extends PointsTriggerDocument['type']> = FieldEffects<Trigger<Type>, 'type' | 'key'>;

const KEPT = 'What it has given stays.';
const STILL_DUE = 'What fell due before publication is still given.';
const points = (_: number, is: number) => `From publication, it gives ${is} each time. ${KEPT}`;

const metricEffects: TriggerEffects<'metric'> = {
  metric: (was, is) =>
    `It keeps what it has counted of ${was} and, from publication, adds values of ${is} to it. ${KEPT}`,
  threshold: (_, is) =>
    `It keeps what it has counted and fires at the next multiple of ${is} above that. ${KEPT} It gives nothing for multiples passed before publication.`,
  points,
};

const streakEffects: TriggerEffects<'streak'> = {
  length: (_, is) => `It fires when a user next extends their streak to a multiple of ${is}. ${KEPT}`,
  points,
};

const achievementEffects: TriggerEffects<'achievement'> = {
  achievement: (_, is) =>
    `It fires for users who complete ${is} after publication, not for those who already have. ${KEPT}`,
  points,
};

const creationEffects: TriggerEffects<'user_creation'> = { points };

const RHYTHM = `From publication, it falls due at the new interval, counted from each user's creation. ${STILL_DUE}`;

const timeEffects: TriggerEffects<'time'> = {
  unit: RHYTHM,
  interval: RHYTHM,
  points: (was, is) => `${points(was, is)} What fell due before publication is still given, at the former points.`,
  activeFrom: (_, is) =>
    is === null
      ? 'From publication, it gives everything that falls due. For the time before, it gives only what fell due under the former activeFrom.'
      : `From publication, it gives only what falls due from ${is} on. ${STILL_DUE}`,
};
