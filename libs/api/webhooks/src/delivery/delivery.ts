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
  /** The user whom the outcome is about; null: it is about no user. */
  readonly userKey: string | null;
  /** Other users whom it names; null: it names no other, or one of them was erased. */
  readonly otherKeys: readonly string[] | null;
  /** null: the body of the outcome. */
  readonly body: string | null;
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly status: number | null;
  readonly tookMs: number;
  /** The first KiB. */
  readonly response: string | null;
  /** null: it arrived. */
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
  /** null: never. */
  readonly nextAt: Instant | null;
}

/** A deferred request that stands for several outcomes about the same subject. */
export interface HeldDelivery {
  /** Names its subject. */
  readonly lane: string;
  /** The last outcome in it. */
  readonly outcome: Outcome;
  /** null: the body of the outcome. */
  readonly body: string | null;
  /** When it is sent, if it does not exist yet. */
  readonly until: Instant;
}

export interface Taken {
  readonly account: string;
  readonly endpoint: string;
  readonly kind: 'new' | 'replay';
  /** Nothing is taken unless the cursor of this kind is here. */
  readonly from: number;
  readonly to: number;
  /** Whether the replay ends with this. */
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
  /** Includes deferred ones. */
  readonly unfinished: number;
  readonly heldBack: number;
  readonly abandoned: number;
  /**
   * Since when the delivery that has waited longest waits: since its outcome happened or, in a replay or sent again by hand, since the
   * request; null: none waits. Deferred ones do not count.
   */
  readonly oldestAt: Instant | null;
}
