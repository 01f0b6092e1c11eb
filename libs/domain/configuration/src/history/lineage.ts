import type { Instant } from '@laurel/calendar';
import type { Configuration, FreezeTermsSince, PointsTrigger, TimeTriggerValidity } from '@laurel/kernel';

/**
 * The state that a version inherits from earlier ones. Kept beside the configurations, because it includes removed entries, which a later
 * version may bring back.
 */
export interface Lineage {
  /** Publication of the newest version; never moves back, even if a clock did. */
  readonly publishedAt: Instant;
  /** Publication of the version in which a trigger first appeared, by its id. */
  readonly firstPublished: ReadonlyMap<string, Instant>;
  /** The newest definition of every trigger there ever was, by its id. */
  readonly triggers: ReadonlyMap<string, PointsTrigger>;
  /** All spans by points system, including closed ones. */
  readonly validityPeriods: ReadonlyMap<string, readonly TimeTriggerValidity[]>;
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
  freezeTerms: [],
};
