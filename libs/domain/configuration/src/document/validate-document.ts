import { TYPES_OF_ALL } from '@laurel/kernel';
import { configurationDocument, createSuggest, type ConfigurationDocument, type Suggest } from '@laurel/schemas';
import { achievementCycles } from './achievement-cycles.ts';
import { conditionFaults, misplacedConditions } from './condition-faults.ts';
import { checkFields } from './check-fields.ts';
import { faultsOf } from './describe-issue.ts';
import { duplicates } from './duplicates.ts';
import { boostFaults, freezeFaults, leaderboardFaults, reactivationFaults, windowFaults } from './field-pairs.ts';
import type { Place } from './place.ts';
import { MOST_FAULTS } from './problem.ts';
import type { Fault } from './problem.ts';
import { unknownReferences } from './references.ts';

export type CheckedDocument =
  | { readonly document: ConfigurationDocument; readonly faults?: undefined; readonly more?: undefined }
  | {
      /** At most {@link MOST_FAULTS}. */
      readonly faults: readonly Fault[];
      /** Whether there are more faults, at which the search stopped. */
      readonly more: boolean;
      readonly document?: undefined;
    };

/**
 * Validates a parsed value as a configuration document. Returns the document with all defaults filled in and the types
 * of outcomes named, or up to {@link MOST_FAULTS} faults. The rules over several fields also check a document whose
 * single fields are wrong. Documents from the log are validated, too, so a rule may be relaxed but never tightened.
 */
export function validateDocument(value: unknown): CheckedDocument {
  const steps = checkDocument(value);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Checking an element of a list takes microseconds, a rule over all elements some milliseconds. */
const STEPS_PER_TURN = 250;

/** Like {@link validateDocument}, but in chunks with other work in between. The value must not be changed meanwhile. */
export async function validateDocumentInSteps(
  value: unknown,
  giveWay: () => Promise<unknown> = turnOfTheLoop,
): Promise<CheckedDocument> {
  let left = STEPS_PER_TURN;
  for (const steps = checkDocument(value); ;) {
    const step = steps.next();
    if (step.done) return step.value;
    left -= step.value;
    if (left > 0) continue;
    await giveWay();
    left = STEPS_PER_TURN;
  }
}

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Checks one element or rule after the other; yields its cost, as a number of the steps in {@link STEPS_PER_TURN}. */
function* checkDocument(value: unknown): Generator<number, CheckedDocument, void> {
  const suggest = createSuggest();
  const faults: Fault[] = [];
  const fields = checkFields(configurationDocument, value);
  let field = fields.next();
  for (; !field.done && faults.length <= MOST_FAULTS; field = fields.next()) {
    faults.push(...field.value.flatMap((issue) => faultsOf(issue, configurationDocument, value, suggest)));
    yield 1;
  }
  for (const rule of RULES) {
    if (faults.length > MOST_FAULTS) break;
    for (const fault of rule({ path: [], value }, suggest)) if (faults.push(fault) > MOST_FAULTS) break;
    yield STEPS_PER_TURN;
  }
  // Without a fault, all fields were checked and have the schema's defaults.
  if (faults.length === 0) return { document: accept(withTypesNamed(field.value as ConfigurationDocument)) };
  return { faults: faults.slice(0, MOST_FAULTS), more: faults.length > MOST_FAULTS };
}

const accepted = new WeakSet<object>();

function accept(document: ConfigurationDocument): ConfigurationDocument {
  accepted.add(document);
  return document;
}

/** Names the types that `all` stands for, so that documents in the log keep their meaning when types are added. */
function withTypesNamed(document: ConfigurationDocument): ConfigurationDocument {
  const { outgoing } = document;
  if (outgoing?.events !== 'all') return document;
  return { ...document, outgoing: { ...outgoing, events: [...TYPES_OF_ALL] } };
}

/**
 * Whether a check in this process produced this very object, which need not be checked again. Documents are immutable.
 */
export const isAccepted = (value: unknown): value is ConfigurationDocument =>
  typeof value === 'object' && value !== null && accepted.has(value);

/** The rules over several fields. They search lazily, one fault after the other. */
const RULES: readonly ((root: Place, suggest: Suggest) => Iterable<Fault>)[] = [
  duplicates,
  unknownReferences,
  achievementCycles,
  freezeFaults,
  reactivationFaults,
  boostFaults,
  leaderboardFaults,
  windowFaults,
  conditionFaults,
  misplacedConditions,
];
