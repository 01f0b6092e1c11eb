import {
  effectsOfOutcome,
  OUTCOME_TYPES,
  outcomesWithSetting,
  type OutcomeType,
  type OutgoingDefinition,
} from '@laurel/kernel';

/** What is read beside the effects: nothing, how users moved on boards, and also whom they met there. */
export type RanksAsked = 'none' | 'own' | 'tops';

const OF_RANKS = OUTCOME_TYPES.filter((type) => effectsOfOutcome(type).includes('RankChanged'));
/** They need the first of each run in which a user moved. */
const OF_TOPS = outcomesWithSetting('announceTop');

/** Users and events whose effects are in memory at a time; one sweep may name 200 users. */
const USERS_AT_A_TIME = 500;
/** With more announced, fewer users at a time. */
const TOP_OF_ALL_USERS = 10;

export function ranksNeeded(events: readonly { readonly types: ReadonlySet<OutcomeType> }[]): RanksAsked {
  const areNamed = (some: readonly OutcomeType[]) => events.some(({ types }) => some.some((type) => types.has(type)));
  if (areNamed(OF_TOPS)) return 'tops';
  return areNamed(OF_RANKS) ? 'own' : 'none';
}

/** How many users to read at a time: with the first of a run, each brings up to as many others. */
export function mostUsers(outgoing: OutgoingDefinition | null): number {
  if (outgoing === null || !OF_TOPS.some((type) => outgoing.types.has(type))) return USERS_AT_A_TIME;
  return Math.ceil((USERS_AT_A_TIME * TOP_OF_ALL_USERS) / Math.max(outgoing.announceTop, TOP_OF_ALL_USERS));
}
