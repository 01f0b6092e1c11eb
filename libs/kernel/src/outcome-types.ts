import type { Configuration } from './configuration.ts';
import type { OutcomeKind, OutcomeSetting } from './declarations/outcome-kind.ts';
import { OUTCOMES, outcomeKind, type OutcomeType } from './declarations/outcomes.ts';
import type { Effect } from './effects.ts';
import type { DomainEvent } from './events.ts';
import { groupBy } from './group-by.ts';

/** The types of outcomes, by the names under which they are sent. */
export const OUTCOME_TYPES = Object.keys(OUTCOMES) as readonly OutcomeType[];

const typesThat = (matches: (kind: OutcomeKind) => boolean): readonly OutcomeType[] =>
  OUTCOME_TYPES.filter((type) => matches(outcomeKind(type)));

/** What `events: all` stands for when a version is published: the version names them. */
export const TYPES_OF_ALL = typesThat(({ secondNameOf }) => secondNameOf === undefined);

/** The types that `all` stands for in versions that store the word itself, from before versions named the types. Never changes. */
const TYPES_OF_STORED_ALL = typesThat(({ inStoredAll }) => inStoredAll === true);

/** The entries of `outgoing.events` in a stored version. */
export const storedEntries = <Entry>(events: 'all' | readonly Entry[]): readonly (Entry | OutcomeType)[] =>
  events === 'all' ? TYPES_OF_STORED_ALL : events;

/**
 * These types are made whenever any type is made, named or not: without them, a receiver's copy would become wrong and
 * stay wrong.
 */
export const ALWAYS_MADE = typesThat(({ alwaysMade }) => alwaysMade === true);

/** The types that a version makes. */
export const madeTypes = ({ outgoing }: Pick<Configuration, 'outgoing'>): ReadonlySet<OutcomeType> =>
  outgoing?.types ?? new Set(ALWAYS_MADE);

/** The effects that outcomes of a type are made of; empty if it is made of a recorded event. */
export const effectsOfOutcome = (type: OutcomeType): readonly Effect['type'][] => outcomeKind(type).effects ?? [];

/** The types of outcomes that each recorded event of this type makes; empty if its effects make them. */
export const outcomesOfEvent = (event: DomainEvent['type'] | 'UserSwept'): readonly OutcomeType[] =>
  BY_EVENT.get(event) ?? NO_TYPES;

const NO_TYPES: readonly OutcomeType[] = [];
const BY_EVENT = groupBy<string | undefined, OutcomeType>(OUTCOME_TYPES, (type) => outcomeKind(type).event);

/** The types that depend on a setting of `outgoing`. */
export const outcomesWithSetting = (setting: OutcomeSetting): readonly OutcomeType[] =>
  typesThat((kind) => kind.setting === setting);

/** Whether these effects make outcomes. @param wanted the effects that the named types are made of */
export const makesOutcomes = (wanted: ReadonlySet<Effect['type']>, emitted: readonly Effect[]): boolean =>
  emitted.some(({ type }) => wanted.has(type));

/** A reminder that is settled later than this is dropped (specification, section 9.21). */
export const LATEST_REMINDER_MS = 3_600_000;
