import { isDeepStrictEqual } from 'node:util';
import type { PointsSystemDocument, PointsTriggerDocument } from '@laurel/contracts';
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
  `It was in version ${version}, and goes on from what it had counted of ${metric} then; what was recorded since gives nothing.`;

const identityOf = (trigger: PointsTriggerDocument) => JSON.stringify(triggerIdentity(trigger));
const nameOf = (trigger: PointsTriggerDocument) => triggerSegment(trigger).replace(/^\./, '');

const ORDER =
  'Awards of one kind within one event are given in the new order, which decides what a full or empty total cuts. No id changes.';

function whenItFires(trigger: PointsTriggerDocument): string {
  switch (trigger.type) {
    case 'metric':
      return `It counts values of ${trigger.metric} from the publication on; what was recorded before gives nothing.`;
    case 'streak':
      return `It fires when a streak is next extended to a multiple of ${trigger.length}.`;
    case 'achievement':
      return `It fires for who completes ${trigger.achievement} from then on, not for who has it already.`;
    case 'user_creation':
      return 'It fires for users created from then on; those who exist get nothing.';
    case 'time':
      return `It is due every ${intervalInWords(trigger)} from each user's creation; nothing is given for the time before ${beginning(trigger)}.`;
  }
}

function beginning({ activeFrom }: Trigger<'time'>): string {
  return activeFrom === null ? 'the publication' : `the publication and ${activeFrom}`;
}

function whenRemoved(trigger: PointsTriggerDocument): string {
  const due = trigger.type === 'time' ? ' What was due by then is given.' : '';
  return `It gives nothing from then on; what it has given stays.${due}`;
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
const points = (_: number, is: number) => `From then on it gives ${is} each time. ${KEPT}`;

const metricEffects: TriggerEffects<'metric'> = {
  metric: (was, is) => `What it has counted of ${was} stays, and values of ${is} are added to it from then on. ${KEPT}`,
  threshold: (_, is) =>
    `What it has counted stays: it fires at the next multiple of ${is} above that. ${KEPT} Nothing is given for multiples passed before.`,
  points,
};

const streakEffects: TriggerEffects<'streak'> = {
  length: (_, is) => `It fires when a streak is next extended to a multiple of ${is}. ${KEPT}`,
  points,
};

const achievementEffects: TriggerEffects<'achievement'> = {
  achievement: (_, is) => `It fires for who completes ${is} from then on, not for who has it already. ${KEPT}`,
  points,
};

const creationEffects: TriggerEffects<'user_creation'> = { points };

const RHYTHM = `From then on it is due in the new rhythm, counted from each user's creation. What was due by then is given.`;

const timeEffects: TriggerEffects<'time'> = {
  unit: RHYTHM,
  interval: RHYTHM,
  points: (was, is) => `${points(was, is)} What was due by then is given as it was.`,
  activeFrom: (_, is) =>
    is === null
      ? 'From the publication on it gives all that is due; nothing is given for the time before.'
      : `From the publication on it gives what is due from ${is} on. What was due by then is given.`,
};
