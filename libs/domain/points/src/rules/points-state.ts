import type { Exact } from '@laurel/amounts';
import type { Instant, Zone } from '@laurel/calendar';
import type { Boost } from '@laurel/kernel';
import type { Present } from './award/present.ts';
import type { StoredSum, StoredSystem } from './points-codec.ts';
import type { PointsPlan } from './points-plan.ts';

/** The state of a user's points (specification, section 6). */
export interface PointsState {
  /** null before the user's first event, or if corrections retracted all events. */
  createdAt: Instant | null;
  /** The user's clock as of the last event; due time awards are dated by it. */
  zone: Zone;
  /** Whether the user is erased: nothing falls due then. */
  erased: boolean;
  /** Position of the last applied event; 0 before the first. */
  position: number;
  /** null before the first record. */
  present: Present | null;
  /** Systems by index in the plan; undefined until the first event under a version with the system. */
  readonly systems: (SystemState | undefined)[];
  /** Sums by index of the metric trigger in the plan; undefined before the trigger counted anything. */
  readonly sums: (MetricSum | undefined)[];
  /** Stored systems that the plan's version lacks: a system that returns continues where it was. */
  others: readonly StoredSystem[];
}

/** Immutable: replaced when it changes. */
export interface SystemState {
  readonly total: Exact;
  /** The sum of the positive awards of triggers and grants; what is taken or corrected by an award does not lower it. */
  readonly earned: Exact;
  /**
   * Due time awards are given up to this instant, inclusive. Kept per system: a removed system still owes earlier
   * awards.
   */
  readonly settledTo: Instant;
  /** The level as of the last event; null before any level was reached. */
  readonly level: LevelSince | null;
  /** Stored sums of triggers that the version lacks. */
  readonly otherSums: readonly StoredSum[];
  /** What is left to refund, by position of the spend. A spend that is not here has all of its points left. */
  readonly left: ReadonlyMap<number, Exact>;
  /** The user's own boosts that are not finished, and the last that are. */
  readonly boosts: readonly Boost[];
  /** The last instant at which the end of one of them was recorded; 0 before the first. */
  readonly boostsEndedTo: Instant;
}

export interface LevelSince {
  /** null if the total is below all levels. */
  readonly key: string | null;
  /** Position of the event that led to it. */
  readonly position: number;
}

export interface MetricSum {
  readonly sum: Exact;
  /** The highest value of the sum so far, at least 0. */
  readonly high: Exact;
}

export function initialPoints({ systems, sums }: PointsPlan): PointsState {
  return {
    createdAt: null,
    zone: 'UTC',
    erased: false,
    position: 0,
    present: null,
    systems: systems.map(() => undefined),
    sums: Array.from({ length: sums }, () => undefined),
    others: [],
  };
}

/** A copy whose fields, systems and sums may be replaced. */
export const copyOf = (state: PointsState): PointsState => ({
  createdAt: state.createdAt,
  zone: state.zone,
  erased: state.erased,
  position: state.position,
  present: state.present,
  systems: state.systems.slice(),
  sums: state.sums.slice(),
  others: state.others,
});

const NO_BOOSTS: SystemState['boosts'] = [];
const NOTHING_MOVED: SystemState['left'] = new Map();

/** A system before its first award. */
export function newSystem({ createdAt }: PointsState): SystemState {
  return {
    total: 0,
    earned: 0,
    settledTo: createdAt ?? 0,
    level: null,
    otherSums: [],
    left: NOTHING_MOVED,
    boosts: NO_BOOSTS,
    boostsEndedTo: 0,
  };
}
