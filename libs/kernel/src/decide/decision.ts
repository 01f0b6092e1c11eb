import type { Instant } from '@laurel/calendar';
import type { Refused } from '../commands.ts';
import type { DomainEvent } from '../events.ts';

/**
 * The outcome of a command. It depends only on the command and the state, so the same command on the same state is
 * decided the same way everywhere (ADR 0055).
 */
export type Decision<Event extends DomainEvent = DomainEvent> = Accepted<Event> | Refusal | Replay;

/** The events to append, in this order. Empty if the log already says what the command asks for. */
export interface Accepted<Event extends DomainEvent = DomainEvent> {
  readonly kind: 'events';
  readonly events: readonly NewEvent<Event>[];
}

/** An event without a position in the log yet. */
export interface NewEvent<Event extends DomainEvent = DomainEvent> {
  readonly occurredAt: Instant;
  readonly event: Event;
}

/** The command is refused, and nothing is appended. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly reason: Refused['reason'];
  /** For `too_many_awards`: number of time awards that the user would be owed. */
  readonly owed?: number;
}

/** An earlier command has used the idempotency key. Nothing is appended, and the answer names the earlier event. */
export interface Replay {
  readonly kind: 'replay';
  readonly eventId: string;
}

export const accepted = <Event extends DomainEvent>(...events: readonly NewEvent<Event>[]): Accepted<Event> => ({
  kind: 'events',
  events,
});

export const refusal = (reason: Refused['reason']): Refusal => ({ kind: 'refusal', reason });
