import type { Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { Conditions } from './conditions.ts';

/** How boosted points become whole; `nearest` rounds halves away from zero. */
export const BOOST_ROUNDINGS = ['down', 'up', 'nearest'] as const;
export type BoostRounding = (typeof BOOST_ROUNDINGS)[number];

/** Multiplies what triggers give within it (specification, section 6.15). */
export interface Boost {
  readonly id: string;
  readonly name: string;
  /** In hundredths: 150 multiplies by 1.5. */
  readonly multiplier: number;
  readonly rounding: BoostRounding;
  readonly start: Instant;
  /** Exclusive; null if it is open. */
  readonly end: Instant | null;
}

/** A boost as a version of the configuration has it. */
export interface BoostDefinition extends Boost {
  readonly key: string;
  /** Attributes of the users whose awards it multiplies; null for all users. */
  readonly where: Conditions | null;
}

/** Points after boosts. */
export interface BoostedPoints {
  /** At least one, in their order. */
  readonly boosts: readonly Boost[];
  /** Rounded, before any cut. */
  readonly points: Exact;
}

/** The most boosts of their own that a user may have at once in a points system, finished ones aside. */
export const MOST_BOOSTS_HELD = 20;

export const BOOST_STATUSES = ['active', 'scheduled', 'finished'] as const;
export type BoostStatus = (typeof BOOST_STATUSES)[number];

export function boostStatus({ start, end }: Pick<Boost, 'start' | 'end'>, at: Instant): BoostStatus {
  if (end !== null && end <= at) return 'finished';
  return start <= at ? 'active' : 'scheduled';
}

/**
 * The text whose number stands for a boost in stored awards. A boost that changes gets another text, so an award shows it as it was.
 * Its form must not change.
 */
export const boostText = ({ id, name, multiplier, rounding, start, end }: Boost): string =>
  JSON.stringify([id, name, multiplier, rounding, start, end]);

export function boostOfText(text: string): Boost {
  const [id, name, multiplier, rounding, start, end] = JSON.parse(text) as StoredBoost;
  return { id, name, multiplier, rounding, start, end };
}

type StoredBoost = readonly [
  id: string,
  name: string,
  multiplier: number,
  rounding: BoostRounding,
  start: Instant,
  end: Instant | null,
];
