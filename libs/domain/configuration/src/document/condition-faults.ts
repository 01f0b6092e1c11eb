import {
  ACHIEVEMENT_TRIGGER_TYPES,
  achievementTriggerKind,
  type AchievementTriggerType,
  type WrittenConditions,
} from '@laurel/kernel';
import { MOST_CONDITIONS, type Suggest } from '@laurel/schemas';
import { conditionsIn } from './conditions-in.ts';
import { quote } from './path.ts';
import { fieldOf, isMap, listAt, textAt, textOf, type Place } from './place.ts';
import { valueFault, type Fault } from './problem.ts';

const WHOSE = ['event', 'user'] as const satisfies readonly (keyof WrittenConditions)[];

/** Faults for conditions that require nothing or too much, and for attributes that the document does not declare, if it declares any. */
export function* conditionFaults(root: Place, suggest: Suggest): Generator<Fault> {
  for (const where of conditionsIn(root)) {
    if (sizeOf(where) === 0) yield valueFault(where.path, 'expected a condition on event or user, found an empty map');
    for (const whose of WHOSE) yield* faultsIn(fieldOf(where, whose), declaredKeys(root, whose), suggest);
  }
}

/** Faults for conditions of achievements on what does not complete them: a call completes one whoever the user is. */
export function* misplacedConditions(root: Place): Generator<Fault> {
  for (const achievement of listAt(root, 'achievements')) {
    const type = textAt(fieldOf(achievement, 'trigger'), 'type');
    const where = fieldOf(achievement, 'where');
    if (!isTriggerType(type) || !isMap(where.value)) continue;
    const allowed = achievementTriggerKind(type).where;
    if (allowed.length === 0) yield unknownWith(where, type, '');
    else
      for (const whose of WHOSE)
        if (whose in where.value && !allowed.includes(whose))
          yield unknownWith(fieldOf(where, whose), type, `; expected one of ${allowed.join(', ')}`);
  }
}

const isTriggerType = (type: string | undefined): type is AchievementTriggerType =>
  type !== undefined && (ACHIEVEMENT_TRIGGER_TYPES as readonly string[]).includes(type);

const unknownWith = ({ path }: Place, type: string, expected: string): Fault => ({
  path,
  part: 'name',
  message: `unknown field ${quote(String(path.at(-1)))} with trigger type ${type}${expected}`,
});

/** null if the document declares no attributes. */
function declaredKeys(root: Place, whose: keyof WrittenConditions): ReadonlySet<string> | null {
  const declared = fieldOf(root, 'attributes');
  return isMap(declared.value) ? new Set(listAt(declared, whose).flatMap((key) => textOf(key) ?? [])) : null;
}

const sizeOf = ({ value }: Place): number => (isMap(value) ? Object.keys(value).length : 0);

function* faultsIn(required: Place, known: ReadonlySet<string> | null, suggest: Suggest): Generator<Fault> {
  if (!isMap(required.value)) return;
  const size = sizeOf(required);
  if (size === 0 || size > MOST_CONDITIONS)
    yield valueFault(required.path, `expected 1 to ${MOST_CONDITIONS} attributes, found ${size}`);
  for (const key of Object.keys(required.value)) {
    const wanted = unwanted(key, String(required.path.at(-1)), known, suggest);
    if (wanted !== null) yield { path: [...required.path, key], part: 'name', message: wanted };
  }
}

function unwanted(key: string, whose: string, known: ReadonlySet<string> | null, suggest: Suggest): string | null {
  if (key === '__proto__') return 'expected another key than __proto__';
  if (known === null || known.has(key)) return null;
  return `expected a key from ${whose} of attributes, found ${quote(key)}${suggest(key, known)}`;
}
