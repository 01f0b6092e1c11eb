import {
  effectsOfOutcome,
  OUTCOME_TYPES,
  outcomesWithSetting,
  type OutcomeType,
  type OutgoingDefinition,
} from '@laurel/kernel';

/** Whether to read rank changes besides the other effects: not at all, of the users themselves, or also the tops of their boards. */
export type RanksQuery = 'none' | 'own' | 'tops';

const OF_RANKS = OUTCOME_TYPES.filter((type) => effectsOfOutcome(type).includes('RankChanged'));
/** Types that need the top of each run in which a user moved. */
const OF_TOPS = outcomesWithSetting('announceTop');

/** Users whose effects are in memory at a time; one sweep may name 200 users. */
const USERS_AT_A_TIME = 500;
/** With more announced ranks than this, fewer users are read at a time. */
const TOP_OF_ALL_USERS = 10;

export function ranksNeeded(events: readonly { readonly types: ReadonlySet<OutcomeType> }[]): RanksQuery {
  const areNamed = (some: readonly OutcomeType[]) => events.some(({ types }) => some.some((type) => types.has(type)));
  if (areNamed(OF_TOPS)) return 'tops';
  return areNamed(OF_RANKS) ? 'own' : 'none';
}

/** How many users to read at a time. If top ranks are announced, each user brings as many others. */
export function mostUsers(outgoing: OutgoingDefinition | null): number {
  if (outgoing === null || !OF_TOPS.some((type) => outgoing.types.has(type))) return USERS_AT_A_TIME;
  return Math.ceil((USERS_AT_A_TIME * TOP_OF_ALL_USERS) / Math.max(outgoing.announceTop, TOP_OF_ALL_USERS));
}
