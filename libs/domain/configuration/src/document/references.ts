import { achievementTriggerFields, pointsTriggerFields, type Field } from '@laurel/kernel';
import { quote } from './path.ts';
import { fieldOf, listAt, textAt, textOf } from './place.ts';
import type { Place } from './place.ts';
import { valueFault } from './problem.ts';
import type { Fault } from './problem.ts';
import type { Suggest } from '@laurel/schemas';

/** Faults for names of metrics, achievements and points systems that the document does not define. */
export function* unknownReferences(root: Place, suggest: Suggest): Generator<Fault> {
  for (const [list, references] of referencesByList(root)) {
    const keys = listAt(root, list).map((entry) => textAt(entry, 'key'));
    const defined = new Set(keys.filter((key) => key !== undefined));
    for (const reference of references) {
      const key = textOf(reference);
      if (key === undefined || defined.has(key)) continue;
      yield valueFault(reference.path, `expected a key from ${list}, found ${quote(key)}${suggest(key, defined)}`);
    }
  }
}

/** The lists of the document whose keys other places refer to, each with these references. */
function* referencesByList(root: Place): Generator<readonly [string, readonly Place[]]> {
  yield ['metrics', metricReferences(root)];
  yield ['achievements', achievementReferences(root)];
  yield ['points', pointsSystemReferences(root)];
}

function metricReferences(root: Place): Place[] {
  const metricOf = (place: Place) => fieldOf(place, 'metric');
  return [
    ...listAt(fieldOf(root, 'streak'), 'conditions').map(metricOf),
    ...ofAchievementTriggers(root, 'metric'),
    ...ofPointsTriggers(root, 'metric'),
    ...listAt(root, 'leaderboards').map(metricOf),
  ];
}

const achievementReferences = (root: Place): Place[] => [
  ...ofAchievementTriggers(root, 'achievement'),
  ...listAt(root, 'achievements').flatMap(requirementsOf),
  ...ofPointsTriggers(root, 'achievement'),
];

/** The achievements that an achievement requires. */
export const requirementsOf = (achievement: Place): Place[] =>
  ofAchievementTrigger(achievement, 'achievements').flatMap(({ trigger, name }) => listAt(trigger, name));

function pointsSystemReferences(root: Place): Place[] {
  return [
    ...listAt(root, 'leaderboards').map((board) => fieldOf(board, 'pointsSystem')),
    ...listAt(fieldOf(root, 'outgoing'), 'events').flatMap((entry) => listAt(entry, 'pointsSystems')),
  ];
}

/** The values of trigger fields that hold such a key, by the declarations of the triggers. */
const ofAchievementTriggers = (root: Place, holds: Field['holds']): Place[] =>
  listAt(root, 'achievements').flatMap((achievement) =>
    ofAchievementTrigger(achievement, holds).map(({ trigger, name }) => fieldOf(trigger, name)),
  );

function ofAchievementTrigger(achievement: Place, holds: Field['holds']) {
  const trigger = fieldOf(achievement, 'trigger');
  return achievementTriggerFields(textAt(trigger, 'type'), holds).map((name) => ({ trigger, name }));
}

function ofPointsTriggers(root: Place, holds: Field['holds']): Place[] {
  const triggers = listAt(root, 'points').flatMap((system) => listAt(system, 'triggers'));
  return triggers.flatMap((trigger) =>
    pointsTriggerFields(textAt(trigger, 'type'), holds).map((name) => fieldOf(trigger, name)),
  );
}
