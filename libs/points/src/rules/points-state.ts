import type { Amount } from '@laurel/amounts';
import type { Instant, Zone } from '@laurel/calendar';

/** What the next record of a user needs to know of their points. */
export type PointsState = { readonly kind: 'unknown' } | KnownPoints;

export interface KnownPoints {
  readonly kind: 'known';
  readonly createdAt: Instant;
  /** The user's clock since their last record: due time awards are placed by it. */
  readonly zone: Zone;
  /** Position of the last record applied: awards of later ones are not in this state. */
  readonly position: number;
  /** By key; systems since removed included, so that one that comes back goes on where it was. */
  readonly systems: ReadonlyMap<string, SystemState>;
}

export interface SystemState {
  readonly total: bigint;
  /**
   * Up to here (inclusive) due time awards were given. Per system: one that was out of the configuration for a while still
   * owes what fell due before.
   */
  readonly settledTo: Instant;
  /** By id of a metric trigger. */
  readonly sums: ReadonlyMap<string, MetricSum>;
}

export interface MetricSum {
  readonly sum: Amount;
  /** The highest that the sum has been, at least 0. */
  readonly high: Amount;
}

export function systemOf(systems: ReadonlyMap<string, SystemState>, key: string, createdAt: Instant): SystemState {
  return systems.get(key) ?? { total: 0n, settledTo: createdAt, sums: new Map() };
}
