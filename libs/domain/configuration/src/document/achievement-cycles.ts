import { quote } from './path.ts';
import { listAt, textAt, textOf } from './place.ts';
import type { Place } from './place.ts';
import { requirementsOf } from './references.ts';
import { valueFault } from './problem.ts';
import type { Fault } from './problem.ts';

/** An achievement of the search, and the index of its requirement to follow next. */
interface Step {
  readonly key: string;
  next: number;
}

/**
 * Achievements that require each other in a circle can never be completed. Reports one fault for each requirement that
 * closes a circle: without these requirements, no circle is left. Searches depth first with an explicit stack, because
 * a chain may be longer than the call stack.
 */
export function* achievementCycles(root: Place): Generator<Fault> {
  const requirements = requirementsByKey(root);
  const seen = new Set<string>();
  for (const key of requirements.keys()) if (!seen.has(key)) yield* walk(key, requirements, seen);
}

function* walk(
  start: string,
  requirements: ReadonlyMap<string, readonly Place[]>,
  seen: Set<string>,
): Generator<Fault> {
  const stack: Step[] = [{ key: start, next: 0 }];
  /** The keys on the stack with their index, so that finding a circle needs no search. */
  const open = new Map([[start, 0]]);
  seen.add(start);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const requirement = requirements.get(top.key)?.[top.next++];
    const key = requirement && textOf(requirement);
    if (requirement === undefined) {
      open.delete(top.key);
      stack.pop();
    } else if (key !== undefined && open.has(key)) {
      yield cycle(requirement, key, stack.slice(open.get(key), (open.get(key) ?? 0) + MOST_SHOWN + 1));
    } else if (key !== undefined && !seen.has(key)) {
      seen.add(key);
      open.set(key, stack.length);
      stack.push({ key, next: 0 });
    }
  }
}

const MOST_SHOWN = 8;

/** @param steps the circle or its beginning; one step more than is shown indicates that there are more. */
function cycle(requirement: Place, key: string, steps: readonly Step[]): Fault {
  const circle = steps.map((step) => quote(step.key));
  const shown = circle.length > MOST_SHOWN ? [...circle.slice(0, MOST_SHOWN), '…'] : circle;
  return valueFault(requirement.path, `expected no cycle of achievements, found ${[...shown, quote(key)].join(' → ')}`);
}

/** Only the first entry of a key counts; `duplicates` reports the others. */
function requirementsByKey(root: Place): Map<string, readonly Place[]> {
  const byKey = new Map<string, readonly Place[]>();
  for (const achievement of listAt(root, 'achievements')) {
    const key = textAt(achievement, 'key');
    if (key !== undefined && !byKey.has(key)) byKey.set(key, requirementsOf(achievement));
  }
  return byKey;
}
