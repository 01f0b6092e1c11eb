import type { Instant } from '@laurel/calendar';
import type { DeliveryState } from '@laurel/schemas';
import type { Outcome } from '@laurel/outgoing';

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: string;
  readonly sequence: number;
  readonly outcome: string;
  readonly attempts: number;
  readonly replay: boolean;
  /** The user of the outcome, or null if it concerns none. */
  readonly userKey: string | null;
  /** Other users whom it names; null if it names none, or one of them was erased. */
  readonly otherKeys: readonly string[] | null;
  /** null for the body of the outcome. */
  readonly body: string | null;
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly status: number | null;
  readonly tookMs: number;
  /** The first KiB of the receiver's answer. */
  readonly response: string | null;
  /** null if the delivery arrived. */
  readonly error: string | null;
  /** The error without addresses, for other receivers. */
  readonly fault: string | null;
  readonly retryAfterMs: number | null;
  /** Whether the endpoint took too long to connect or to answer. */
  readonly timedOut: boolean;
}

export interface FinishedAttempt extends Pick<AttemptResult, 'status' | 'tookMs' | 'response' | 'error'> {
  readonly state: Extract<DeliveryState, 'delivered' | 'abandoned' | 'failed'>;
  readonly at: Instant;
  /** null if there is no further attempt. */
  readonly nextAt: Instant | null;
}

/** A deferred request that stands for several outcomes about the same subject. */
export interface HeldDelivery {
  /** Named after the subject. */
  readonly lane: string;
  /** The last outcome in it. */
  readonly outcome: Outcome;
  /** null for the body of the outcome. */
  readonly body: string | null;
  /** When to send it, if it does not exist yet. */
  readonly until: Instant;
}

export interface Taken {
  readonly account: string;
  readonly endpoint: string;
  readonly kind: 'new' | 'replay';
  /** The expected sequence of the cursor of this kind; if the cursor is elsewhere, nothing is taken. */
  readonly from: number;
  readonly to: number;
  /** Whether this ends the replay. */
  readonly isLast: boolean;
  /** Outcomes that are sent unchanged. */
  readonly outcomes: readonly Outcome[];
  /** Deferred requests, one for each lane. */
  readonly held: readonly HeldDelivery[];
  readonly strict: boolean;
  readonly at: Instant;
}

/** The progress of an endpoint's deliveries. Counts end at 1,000. */
export interface DeliveryProgress {
  /** Number of unfinished deliveries, including deferred ones. */
  readonly unfinished: number;
  readonly heldBack: number;
  readonly abandoned: number;
  /**
   * Since when the longest waiting delivery has been waiting, or null if none is. It counts from the instant of its
   * outcome or, in a replay or a manual resend, from the request. Deferred deliveries do not count.
   */
  readonly oldestAt: Instant | null;
}
