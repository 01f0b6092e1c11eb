import { pointsTriggerFields } from '@laurel/kernel';
import { fieldOf, isMap, listAt, textAt, type Place } from './place.ts';

/** The conditions of a document, wherever they may stand. */
export const conditionsIn = (root: Place): readonly Place[] =>
  [
    ...listAt(root, 'achievements').map((achievement) => fieldOf(achievement, 'where')),
    ...listAt(root, 'points').flatMap((system) => [
      ...listAt(system, 'triggers').flatMap((trigger) =>
        pointsTriggerFields(textAt(trigger, 'type'), 'optional conditions').map((name) => fieldOf(trigger, name)),
      ),
      ...listAt(system, 'boosts').map((boost) => fieldOf(boost, 'where')),
    ]),
  ].filter(({ value }) => isMap(value));
