import type { EventOf, Fact, LogRecord, OutcomeType, UserRecord } from '@laurel/kernel';
import type { Draft } from './candidate.ts';
import type { AccountEvent, UserEvent } from './source-event.ts';

/** Makes the outcomes of one type. Pure and total: a board or system that the configuration lacks makes none. */
export type Composer<Type extends OutcomeType> = (event: SourceOf<Type>) => readonly Draft<Type>[];

/** The event that a composer takes: one of a user, or of the account if its declaration names such a recorded event. */
type SourceOf<Type extends OutcomeType> =
  EventOf<Type> extends infer Name extends Fact['type']
    ? SourceNamed<Extract<Fact, { readonly type: Name }>>
    : UserEvent;

type SourceNamed<Event extends Fact> = Event extends UserRecord['fact']
  ? UserEvent<LogRecord<Event>>
  : AccountEvent<LogRecord<Event>>;
