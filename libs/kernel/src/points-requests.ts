import type { KeyHash } from './events.ts';
import type { Subject } from './subject.ts';

/** Asks for points of the user to be moved. The rules decide whether they are, at the place of the request in the log (ADR 0061). */
export type PointsRequest = SpendRequested | RefundRequested;

export const isPointsRequest = <Other extends { readonly type: string }>(
  event: Other | PointsRequest,
): event is PointsRequest => event.type === 'SpendRequested' || event.type === 'RefundRequested';

/** Somebody asked to take points from the user, all or nothing. Reason and reference are personal fields. */
export interface SpendRequested {
  readonly type: 'SpendRequested';
  readonly subject: Subject;
  readonly system: string;
  /** Whole points, from 1 to {@link MOST_POINTS_MOVED}. */
  readonly amount: number;
  readonly keyHash: KeyHash;
  /** Absent if the rules decided the request after it was recorded: then {@link RequestDecided} has the verdict. */
  readonly verdict?: Verdict;
  /** 1–200 characters. */
  readonly reason?: string;
  /** The caller's own name for the purchase: 1–255 characters. */
  readonly reference?: string;
}

/** Somebody asked to give back what a spend took. The reason is a personal field. */
export interface RefundRequested {
  readonly type: 'RefundRequested';
  readonly subject: Subject;
  readonly system: string;
  /** An earlier spend of the same user in the same system that was accepted. */
  readonly spend: RefundedSpend;
  /** Whole points, at least 1; null for everything that is left of the spend. */
  readonly amount: number | null;
  readonly keyHash: KeyHash;
  /** As of {@link SpendRequested}. */
  readonly verdict?: Verdict;
  /** 1–200 characters. */
  readonly reason?: string;
}

export interface RefundedSpend {
  readonly position: number;
  readonly eventId: string;
  /** The points that it took when it was decided; 0 if it was refused. */
  readonly spent: number;
}

/** How a request for points was decided. It is final: every later fold takes it as it is. */
export type Verdict = AcceptedRequest | RefusedRequest;

export interface AcceptedRequest {
  readonly accepted: true;
  /** The points that were decided: the amount of a spend, or what was left of it when it was refunded. */
  readonly amount: number;
  /** The points that moved. Less than `amount` if a refund met the cap. */
  readonly moved: number;
}

export interface RefusedRequest {
  readonly accepted: false;
  /** The user's total, or what was left of the spend. */
  readonly available: number;
}

/**
 * How the rules decided a request that was recorded without a verdict: whoever recorded it did not have the user's points (ADR 0061). It
 * names no user, so it stays after an erasure.
 */
export interface RequestDecided {
  readonly type: 'RequestDecided';
  readonly request: DecidedRequest;
  readonly verdict: Verdict;
  /** Made from the request, so that a request is decided once. */
  readonly keyHash: KeyHash;
}

export interface DecidedRequest {
  readonly position: number;
  readonly eventId: string;
}

/** The most points that one request moves. */
export const MOST_POINTS_MOVED = 1_000_000_000;
