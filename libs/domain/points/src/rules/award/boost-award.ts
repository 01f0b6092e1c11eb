import { exactOf, type Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { Boost, BoostedPoints, TriggerFired } from '@laurel/kernel';

/** An award before any cut. */
interface Nominal {
  readonly type: TriggerFired['type'];
  readonly points: Exact;
  readonly at: Instant;
}

/** The triggers whose awards are multiplied. */
const BOOSTED_TYPES: ReadonlySet<TriggerFired['type']> = new Set(['metric', 'streak', 'achievement']);

/**
 * Multiplies an award by all boosts within which it is dated, and rounds once, as the first of them says (specification, section 6.15).
 * @returns null if no boost applies
 */
export function boostAward({ type, points, at }: Nominal, boosts: readonly Boost[]): BoostedPoints | null {
  if (points <= 0 || !BOOSTED_TYPES.has(type)) return null;
  const applying = boosts.filter((boost) => isWithin(boost, at));
  const [first] = applying;
  return first === undefined ? null : { boosts: applying, points: multiplied(points, applying, first.rounding) };
}

const isWithin = ({ start, end }: Boost, at: Instant): boolean => start <= at && (end === null || at < end);

function multiplied(points: Exact, boosts: readonly Boost[], rounding: Boost['rounding']): Exact {
  const product = boosts.reduce((so, { multiplier }) => so * BigInt(multiplier), BigInt(points));
  return exactOf(rounded(product, 100n ** BigInt(boosts.length), rounding));
}

/** A positive fraction as a whole number. */
function rounded(numerator: bigint, denominator: bigint, rounding: Boost['rounding']): bigint {
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  const goesUp = rounding === 'nearest' ? 2n * rest >= denominator : rounding === 'up' && rest > 0n;
  return goesUp ? whole + 1n : whole;
}
