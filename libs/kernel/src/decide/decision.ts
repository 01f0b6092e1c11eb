import type { Instant } from '@laurel/calendar';
import type { Refused } from '../commands.ts';
import type { DomainEvent } from '../events.ts';

/**
 * What becomes of a command. It follows from the command and the state alone: a decision reads nothing, and the same command on the same
 * state is decided alike everywhere (ADR 0055).
 */
export type Decision<Event extends DomainEvent = DomainEvent> = Accepted<Event> | Refusal | Replay;

/** The events to append, in this order. None: what the command asks for is already so. */
export interface Accepted<Event extends DomainEvent = DomainEvent> {
  readonly kind: 'events';
  readonly events: readonly NewEvent<Event>[];
}

/** An event that has no place in the log yet. */
export interface NewEvent<Event extends DomainEvent = DomainEvent> {
  readonly occurredAt: Instant;
  readonly event: Event;
}

/** Nothing is appended. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly reason: Refused['reason'];
  /** Of `too_many_awards`: how many time awards the user would be owed. */
  readonly owed?: number;
}

/** An earlier command has used the idempotency key: nothing is appended, and the answer names its event. */
export interface Replay {
  readonly kind: 'replay';
  readonly eventId: string;
}

export const accepted = <Event extends DomainEvent>(...events: readonly NewEvent<Event>[]): Accepted<Event> => ({
  kind: 'events',
  events,
});

export const refusal = (reason: Refused['reason']): Refusal => ({ kind: 'refusal', reason });
