import type { Instant } from '@laurel/calendar';
import type { SystemBoosts } from './compile-boosts.ts';
import type { Configuration, FreezeTermsSince, PointsTrigger, TimeTriggerValidity } from '@laurel/kernel';

/**
 * The state that a version inherits from earlier ones. Kept apart from the configurations, because it includes removed
 * entries, which a later version may bring back.
 */
export interface Lineage {
  /** Publication of the newest version. Never decreases, even if a clock was set back. */
  readonly publishedAt: Instant;
  /** Publication of the version in which a trigger first appeared, by its id. */
  readonly firstPublished: ReadonlyMap<string, Instant>;
  /** The newest definition of every trigger that any version had, by id. */
  readonly triggers: ReadonlyMap<string, PointsTrigger>;
  /** All validity periods by points system, including closed ones. */
  readonly validityPeriods: ReadonlyMap<string, readonly TimeTriggerValidity[]>;
  /** The boosts of every points system that any version had. */
  readonly boosts: ReadonlyMap<string, SystemBoosts>;
  /** All terms of freezes so far, oldest first. */
  readonly freezeTerms: readonly FreezeTermsSince[];
}

/** A compiled version, and the state that the next version inherits. */
export interface CompiledVersion {
  readonly configuration: Configuration;
  readonly lineage: Lineage;
}

export const NO_LINEAGE: Lineage = {
  publishedAt: -Infinity,
  firstPublished: new Map(),
  triggers: new Map(),
  validityPeriods: new Map(),
  boosts: new Map(),
  freezeTerms: [],
};
