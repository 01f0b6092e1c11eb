import { isDeepStrictEqual } from 'node:util';
import { changed } from './change.ts';
import type { Change } from './change.ts';

/** How the entries of a list are compared. */
export interface ListRules<Entry> {
  /** Identifies an entry; unique within its list. */
  readonly identityOf: (entry: Entry) => string;
  readonly onAdded: (entry: Entry) => readonly Change[];
  readonly onRemoved: (entry: Entry) => readonly Change[];
  readonly onKept: (before: Entry, after: Entry) => readonly Change[];
}

/** The changes of a list's entries: present ones in their order, then removed ones. */
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
 * A change of the whole list if the remaining entries change their order. @param was the names of the entries, which
 * identify them
 */
export function compareOrder(
  path: string,
  was: readonly string[],
  is: readonly string[],
  effect = ORDER_OF_ANSWERS,
): Change[] {
  const [former, present] = [new Set(was), new Set(is)];
  const stayed = was.filter((name) => present.has(name));
  const stays = is.filter((name) => former.has(name));
  return isDeepStrictEqual(stayed, stays) ? [] : [changed(path, was, is, effect)];
}

/** The effect if only answers depend on the order of the list. */
export const ORDER_OF_ANSWERS = 'Answers list them in the new order; nothing else changes.';

/** The effect of a change of texts that only people read. */
export const ONLY_SHOWN = 'From publication, answers show the new value; nothing else changes.';

export const keysOf = (entries: readonly { readonly key: string }[]): readonly string[] =>
  entries.map(({ key }) => key);
