import { narrowedPointsChanged, pointsTriggerDocument } from '@laurel/schemas';
import { canonicalEntry } from './outcome-entries.ts';
import { formatPath, quote } from './path.ts';
import { fieldOf, listAt, textAt } from './place.ts';
import type { Place } from './place.ts';
import { requirementsOf } from './references.ts';
import { valueFault } from './problem.ts';
import type { Fault } from './problem.ts';
import { triggerContent } from './trigger-content.ts';

/**
 * Finds duplicates of everything that must be unique within its list: keys, metrics of the streak's conditions, points
 * of levels, triggers without a key.
 */
export function* duplicates(root: Place): Generator<Fault> {
  const lists = ['metrics', 'achievements', 'points', 'leaderboards'].map((list) => listAt(root, list));
  for (const entries of lists) yield* repeatedText(fieldsOf(entries, 'key'), 'key');
  yield* repeatedText(fieldsOf(listAt(fieldOf(root, 'streak'), 'conditions'), 'metric'), 'metric');
  for (const achievement of listAt(root, 'achievements'))
    yield* repeatedText(requirementsOf(achievement), 'achievement');
  yield* duplicatesInEvents(listAt(fieldOf(root, 'outgoing'), 'events'));
  for (const system of listAt(root, 'points')) yield* duplicatesInSystem(system);
}

function* duplicatesInEvents(entries: readonly Place[]): Generator<Fault> {
  yield* repeatedText(entries, 'type');
  const narrowed = entries.filter(({ value }) => typeof value !== 'string');
  const plain = entries.find(({ value }) => value === 'points.changed');
  if (plain !== undefined)
    for (const { path } of narrowed)
      yield valueFault(path, `expected no narrowed points.changed beside the whole type at ${formatPath(plain.path)}`);
  yield* repeated(narrowed, narrowedContent, (first) => `expected an entry that differs from ${first}`);
  for (const entry of narrowed) {
    yield* repeatedText(listAt(entry, 'pointsSystems'), 'points system');
    yield* repeatedText(listAt(entry, 'triggers'), 'type');
  }
}

function narrowedContent({ value }: Place): string | undefined {
  const parsed = narrowedPointsChanged.safeParse(value);
  return parsed.success ? JSON.stringify(canonicalEntry(parsed.data)) : undefined;
}

function* duplicatesInSystem(system: Place): Generator<Fault> {
  const triggers = listAt(system, 'triggers');
  const levels = listAt(system, 'levels');
  yield* repeatedText(fieldsOf(triggers, 'key'), 'key');
  yield* repeated(
    triggers,
    contentWithoutKey,
    (first) => `expected a key, because this trigger is identical to ${first}`,
  );
  yield* repeatedText(fieldsOf(listAt(system, 'caps'), 'per'), 'period');
  yield* repeatedText(fieldsOf(levels, 'key'), 'key');
  yield* repeatedText(fieldsOf(listAt(system, 'boosts'), 'key'), 'key');
  yield* repeated(fieldsOf(levels, 'points'), numberOf, (first) => `expected points that differ from ${first}`);
}

/**
 * The content of a trigger without a key. It identifies the trigger, so it must be unique in the points system
 * (specification, section 6).
 */
function contentWithoutKey(trigger: Place): string | undefined {
  if (textAt(trigger, 'key') !== undefined) return undefined;
  const parsed = pointsTriggerDocument.safeParse(trigger.value);
  return parsed.success ? triggerContent(parsed.data) : undefined;
}

function fieldsOf(entries: readonly Place[], name: string): Place[] {
  return entries.map((entry) => fieldOf(entry, name));
}

function repeatedText(places: readonly Place[], what: string): Iterable<Fault> {
  const textIn = ({ value }: Place) => (typeof value === 'string' ? value : undefined);
  return repeated(
    places,
    textIn,
    (first, text) => `expected each ${what} only once, found ${quote(String(text))} also at ${first}`,
  );
}

function numberOf({ value }: Place): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A fault for each place whose identity an earlier place has. Places with the identity `undefined` are skipped. */
function* repeated<T>(
  places: readonly Place[],
  identityOf: (place: Place) => T | undefined,
  describe: (first: string, identity: T) => string,
): Generator<Fault> {
  const firsts = new Map<T, Place>();
  for (const place of places) {
    const identity = identityOf(place);
    if (identity === undefined) continue;
    const first = firsts.get(identity);
    if (first) yield valueFault(place.path, describe(formatPath(first.path), identity));
    else firsts.set(identity, place);
  }
}
