/** The fields of the kinds of triggers that say when they fire. Beside them, a kind decides what identifies it. */
export const activeFrom = {
  holds: 'optional instant',
  prose: 'The trigger does not fire before this instant (UTC). null: no such bound.',
  identifies: false,
} as const;

export const activeUntil = {
  holds: 'optional instant',
  prose: 'The trigger does not fire at this instant (UTC) or later. null: no such bound.',
  identifies: false,
} as const;

const LOST = 'What is reached outside gives nothing, also later.';

/** The plan's sentences about a changed window. */
export const activeFromChanged = (_: string | null, is: string | null): string =>
  is === null ? 'From publication, it has no beginning.' : `From publication, it fires only from ${is} on. ${LOST}`;

export const activeUntilChanged = (_: string | null, is: string | null): string =>
  is === null ? 'From publication, it has no end.' : `From publication, it fires only before ${is}. ${LOST}`;

/** Why a trigger outside its window did not fire. */
export const NOT_ACTIVE = {
  means: 'the event lies outside of `activeFrom` and `activeUntil` of the trigger',
  line: () => 'the event lies outside of its activeFrom and activeUntil',
};
