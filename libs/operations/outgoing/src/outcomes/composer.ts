import type { EventOf, Fact, LogRecord, OutcomeType, UserRecord } from '@laurel/kernel';
import type { Draft } from './candidate.ts';
import type { AccountEvent, UserEvent } from './source-event.ts';

/** The outcomes of one type. Pure, and total: what the configuration does not hold makes none. */
export type Composer<Type extends OutcomeType> = (event: SourceOf<Type>) => readonly Draft<Type>[];

/** Effects are those of a user's event; a recorded event concerns a user or the account. */
type SourceOf<Type extends OutcomeType> =
  EventOf<Type> extends infer Name extends Fact['type']
    ? SourceNamed<Extract<Fact, { readonly type: Name }>>
    : UserEvent;

type SourceNamed<Event extends Fact> = Event extends UserRecord['fact']
  ? UserEvent<LogRecord<Event>>
  : AccountEvent<LogRecord<Event>>;
