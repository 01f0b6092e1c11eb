import type { EventOf, DomainEvent, OUTCOMES, RecordedEvent, OutcomeType, RecordedUserEvent } from '@laurel/kernel';
import type { Draft } from './candidate.ts';
import type { AccountSourceEvent, UserSourceEvent } from './source-event.ts';

/** Makes the outcomes of one type. Pure and total: a board or system that the configuration lacks makes none. */
export type Composer<Type extends OutcomeType> = (event: SourceOf<Type>) => readonly Draft<Type>[];

/**
 * The event that a composer takes: one of a user, or of the account if its declaration names such a recorded event. Either, if the
 * declaration names effects as well.
 */
type SourceOf<Type extends OutcomeType> =
  | SourceOfEvent<Type>
  | (EventOf<Type> extends undefined ? never : FromEffects<Type> extends true ? UserSourceEvent : never);

type FromEffects<Type extends OutcomeType> = (typeof OUTCOMES)[Type] extends { readonly effects: readonly string[] }
  ? true
  : false;

type SourceOfEvent<Type extends OutcomeType> =
  EventOf<Type> extends infer Name extends DomainEvent['type']
    ? SourceNamed<Extract<DomainEvent, { readonly type: Name }>>
    : UserSourceEvent;

type SourceNamed<Event extends DomainEvent> = Event extends RecordedUserEvent['fact']
  ? UserSourceEvent<RecordedEvent<Event>>
  : AccountSourceEvent<RecordedEvent<Event>>;
