import type { Instant } from '@laurel/calendar';
import type { FreezeDefinition, FreezeTermsSince } from '@laurel/kernel';

const DAY_MS = 86_400_000;

/** The terms on which an existing user earns freezes. */
export interface FreezeTerms {
  readonly max: number;
  /** Days of 24 hours; null if none are earned. */
  readonly earnEvery: number | null;
  readonly earn: number | null;
  /** When these terms were published; null for the first version. */
  readonly since: Instant | null;
}

/** The number of freezes held at `asOf`, including those earned at that instant. Later ones follow from the terms. */
export interface FreezeAccount {
  readonly held: number;
  readonly asOf: Instant;
  readonly terms: FreezeTerms;
}

/** Number of freezes held at an instant, including those earned at it. Computed in closed form. */
export function freezesAt(account: FreezeAccount | null, createdAt: Instant, at: Instant): number {
  if (account === null || at < createdAt) return 0;
  const { held, asOf, terms } = account;
  const earned = at <= asOf ? 0 : earnings(terms, createdAt, at) - earnings(terms, createdAt, asOf);
  return Math.max(held, Math.min(terms.max, held + earned));
}

/** When the newest of the held freezes was earned. At least one must have been earned since `asOf`. */
export function lastEarnedAt(account: FreezeAccount, createdAt: Instant, at: Instant): Instant {
  const { held, asOf, terms } = account;
  const { earnEvery, earn } = terms;
  if (earnEvery === null || earn === null) throw new Error('no freezes are earned');
  const times = Math.ceil((freezesAt(account, createdAt, at) - held) / earn);
  return createdAt + (timesEarned(earnEvery, createdAt, asOf) + times) * earnEvery * DAY_MS;
}

/** The freezes that an answer shows. For imported events before the user's creation, those held at creation. */
export const freezesShown = (account: FreezeAccount | null, createdAt: Instant | null, at: Instant): number =>
  createdAt === null ? 0 : freezesAt(account, createdAt, Math.max(at, createdAt));

/** The account after using one freeze, at an instant at which one was held. */
export function useFreeze(account: FreezeAccount, createdAt: Instant, at: Instant): FreezeAccount {
  return { ...account, held: freezesAt(account, createdAt, at) - 1, asOf: Math.max(at, account.asOf) };
}

/** The account after freezes were granted at an instant; a grant never exceeds the maximum. */
export function addFreezes(account: FreezeAccount, createdAt: Instant, at: Instant, amount: number): FreezeAccount {
  const held = freezesAt(account, createdAt, at);
  return {
    ...account,
    held: Math.max(held, Math.min(account.terms.max, held + amount)),
    asOf: Math.max(at, account.asOf),
  };
}

/** The account as if `amount` fewer freezes had been used. Returned freezes never exceed the maximum. */
export const returnFreezes = (account: FreezeAccount, amount: number): FreezeAccount => ({
  ...account,
  held: Math.max(account.held, Math.min(account.terms.max, account.held + amount)),
});

/**
 * The account at the end of a streak that ran out of freezes, with freezes returned since, but without later grants.
 */
export function accountAtEnd(
  createdAt: Instant,
  endedAt: Instant,
  returned: number,
  terms: readonly FreezeTermsSince[],
): FreezeAccount | null {
  const freezes = endedAt < createdAt ? null : (terms[inForceAt(endedAt, terms)]?.freezes ?? null);
  return freezes && { held: returned, asOf: endedAt, terms: termsOf(freezes) };
}

/** The account of a revived streak: with the freezes granted since its end, less those that it has used. */
export function withGiven(past: FreezeAccount, given: FreezeAccount, used: number, createdAt: Instant): FreezeAccount {
  const asOf = Math.max(past.asOf, given.asOf);
  return {
    ...past,
    held: Math.max(freezesAt(past, createdAt, asOf), freezesAt(given, createdAt, asOf) - used),
    asOf,
  };
}

/**
 * The account under a definition. A user created before freezes were published gets no `initial`. Changed terms hold
 * from their publication on; a lowered `max` takes no freezes away.
 */
export function accountUnder(
  account: FreezeAccount | null,
  createdAt: Instant,
  definition: FreezeDefinition | null,
): FreezeAccount | null {
  if (definition === null) return null;
  const terms = termsOf(definition);
  if (account === null) return openAccount(terms, createdAt, definition.initial);
  if (sameTerms(account.terms, terms)) return account;
  const asOf = Math.max(account.asOf, justBefore(terms) ?? account.asOf);
  return { held: freezesAt(account, createdAt, asOf), asOf, terms };
}

/**
 * The terms that still have to be applied to an account up to an instant, oldest first. A new account begins under the
 * terms in force at the user's creation, or under the first terms after freezes were last removed.
 */
export function termsToCome(
  account: FreezeAccount | null,
  createdAt: Instant,
  upTo: Instant,
  terms: readonly FreezeTermsSince[],
): readonly FreezeTermsSince[] {
  if (isUnder(account, terms.at(-1))) return [];
  const next = account === null ? firstTerms(createdAt, terms) : nextTerms(account, terms);
  return terms.slice(next, inForceAt(upTo, terms) + 1);
}

function firstTerms(createdAt: Instant, terms: readonly FreezeTermsSince[]): number {
  const removed = terms.findLastIndex(({ freezes }) => freezes === null);
  return Math.max(removed + 1, inForceAt(createdAt, terms));
}

function nextTerms(account: FreezeAccount, terms: readonly FreezeTermsSince[]): number {
  const place = inForceAt(account.terms.since ?? -Infinity, terms);
  return isUnder(account, terms[place]) ? place + 1 : Math.max(place, 0);
}

const inForceAt = (instant: Instant, terms: readonly FreezeTermsSince[]): number =>
  terms.findLastIndex(({ since }) => since <= instant);

const isUnder = (account: FreezeAccount | null, terms: FreezeTermsSince | undefined): boolean =>
  account !== null && terms !== undefined && terms.freezes !== null && sameTerms(account.terms, termsOf(terms.freezes));

function openAccount(terms: FreezeTerms, createdAt: Instant, initial: number): FreezeAccount {
  const before = justBefore(terms);
  return before !== null && createdAt <= before
    ? { held: 0, asOf: before, terms }
    : { held: initial, asOf: createdAt, terms };
}

function earnings({ earnEvery, earn }: FreezeTerms, createdAt: Instant, at: Instant): number {
  if (earnEvery === null || earn === null) return 0;
  return timesEarned(earnEvery, createdAt, at) * earn;
}

const timesEarned = (earnEvery: number, createdAt: Instant, at: Instant): number =>
  Math.max(0, Math.floor((at - createdAt) / (earnEvery * DAY_MS)));

function termsOf({ max, earnEvery, earn, since = -Infinity }: FreezeDefinition): FreezeTerms {
  return { max, earnEvery, earn, since: since === -Infinity ? null : since };
}

function justBefore({ since }: FreezeTerms): Instant | null {
  return since === null ? null : since - 1;
}

function sameTerms(a: FreezeTerms, b: FreezeTerms): boolean {
  return a.max === b.max && a.earnEvery === b.earnEvery && a.earn === b.earn && a.since === b.since;
}
