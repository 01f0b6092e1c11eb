import { isDeepStrictEqual } from 'node:util';
import { changed } from './change.ts';
import type { Change } from './change.ts';

/** How the entries of a list are compared. */
export interface ListRules<Entry> {
  /** By what an entry is known; unique within its list. */
  readonly identityOf: (entry: Entry) => string;
  readonly onAdded: (entry: Entry) => readonly Change[];
  readonly onRemoved: (entry: Entry) => readonly Change[];
  readonly onKept: (before: Entry, after: Entry) => readonly Change[];
}

/** What became of the entries of a list: those it has now in its order, then those it has no more. */
export function compareLists<Entry>(
  before: readonly Entry[],
  after: readonly Entry[],
  { identityOf, onAdded, onRemoved, onKept }: ListRules<Entry>,
): Change[] {
  const former = new Map(before.map((entry) => [identityOf(entry), entry]));
  const present = new Set(after.map(identityOf));
  return [
    ...after.flatMap((entry) => {
      const was = former.get(identityOf(entry));
      return was === undefined ? onAdded(entry) : onKept(was, entry);
    }),
    ...before.filter((entry) => !present.has(identityOf(entry))).flatMap(onRemoved),
  ];
}

/**
 * A change of the list as a whole if what stays in it stands in another order. `nameOf` gives the names to show; entries are
 * matched by it.
 */
export function compareOrder<Entry>(
  path: string,
  before: readonly Entry[],
  after: readonly Entry[],
  nameOf: (entry: Entry) => string,
  effect: string,
): Change[] {
  const [was, is] = [before.map(nameOf), after.map(nameOf)];
  const [former, present] = [new Set(was), new Set(is)];
  const stayed = was.filter((name) => present.has(name));
  const stays = is.filter((name) => former.has(name));
  return isDeepStrictEqual(stayed, stays) ? [] : [changed(path, was, is, effect)];
}

/** Lists of which only the order in answers follows. */
export const ORDER_OF_ANSWERS = 'Answers list them in the new order; nothing else changes.';

/** What only people read. */
export const ONLY_SHOWN = 'From publication, answers show the new value; nothing else changes.';
