import { ALWAYS_MADE, effectsOfOutcome, outcomesOfEvent, type Effect, type OutcomeType } from '@laurel/kernel';
import type { Candidate, Draft } from './candidate.ts';
import { COMPOSERS } from './composers.ts';
import type { AccountSourceEvent, UserSourceEvent } from './source-event.ts';

/** Types of outcomes made of effects, in the order in which the outcomes of one event are sent. */
const MADE_OF_EFFECTS = (Object.keys(COMPOSERS) as readonly OutcomeType[]).filter(
  (type) => effectsOfOutcome(type).length > 0,
);

/** By type of effect, the outcome types made of it as a bit mask: bit n is the nth of {@link MADE_OF_EFFECTS}. */
const TYPES_BY_EFFECT = new Map<Effect['type'], number>();
for (const [place, type] of MADE_OF_EFFECTS.entries())
  for (const effect of effectsOfOutcome(type))
    TYPES_BY_EFFECT.set(effect, (TYPES_BY_EFFECT.get(effect) ?? 0) | (1 << place));

/**
 * The candidates that an event makes for one user, of the named types and the types that are always made. A correction or an erasure makes
 * one outcome, whatever it changes.
 */
export function candidatesOfUser(event: UserSourceEvent, types: ReadonlySet<OutcomeType>): readonly Candidate[] {
  const own = outcomesOfEvent(event.record.fact.type);
  return own.length > 0 ? candidatesOfTypes(own, event, types) : candidatesOfEffects(event, types);
}

/** The candidates that an event of the account makes, of the named types and the types that are always made. */
export const candidatesOfAccount = (event: AccountSourceEvent, types: ReadonlySet<OutcomeType>): readonly Candidate[] =>
  candidatesOfTypes(outcomesOfEvent(event.record.fact.type), event, types);

function candidatesOfEffects(event: UserSourceEvent, types: ReadonlySet<OutcomeType>): readonly Candidate[] {
  let concerned = 0;
  for (const { type } of event.effects) concerned |= TYPES_BY_EFFECT.get(type) ?? 0;
  return candidatesOfTypes(
    MADE_OF_EFFECTS.filter((_, place) => (concerned & (1 << place)) !== 0),
    event,
    types,
  );
}

function candidatesOfTypes(
  made: readonly OutcomeType[],
  event: UserSourceEvent | AccountSourceEvent,
  named: ReadonlySet<OutcomeType>,
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const type of made)
    if (named.has(type) || ALWAYS_MADE.includes(type))
      for (const draft of draftsOf(type, event)) candidates.push({ ...draft, type });
  return candidates;
}

/** The declaration of a type says which events its composer takes: the events of {@link outcomesOfEvent}, or any event of a user. */
const draftsOf = (type: OutcomeType, event: UserSourceEvent | AccountSourceEvent): readonly Draft[] =>
  (COMPOSERS[type] as (event: UserSourceEvent | AccountSourceEvent) => readonly Draft[])(event);
