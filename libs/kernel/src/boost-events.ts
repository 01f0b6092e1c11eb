import type { Instant } from '@laurel/calendar';
import type { BoostRounding } from './boost.ts';

/**
 * Multiplies what triggers give the user in one system, from the grant on. Awards show the name as they show that of a configured boost, so
 * it stays after an erasure.
 */
export interface BoostGrant {
  readonly kind: 'boost';
  readonly system: string;
  readonly name: string;
  /** In hundredths. */
  readonly multiplier: number;
  readonly rounding: BoostRounding;
  /** When it ends, exclusive. */
  readonly lasts: { readonly until: Instant } | { readonly minutes: number };
}

export type BoostEvent = BoostStarted | BoostFinished;

/** A boost of a points system has begun. Recorded only while a version makes outcomes of it. */
interface BoostStarted {
  readonly type: 'BoostStarted';
  readonly system: string;
  /** The boost's key. */
  readonly boost: string;
}

/** A boost of a points system has ended, or a publication removed it. Recorded only while a version makes outcomes of it. */
interface BoostFinished {
  readonly type: 'BoostFinished';
  readonly system: string;
  /** The boost's key. */
  readonly boost: string;
}
