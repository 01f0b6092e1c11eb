import { formatAmount, parseAmount } from '@laurel/amounts';
import type { KnownPoints, MetricSum, PointsState, SystemState } from './rules/points-state.ts';

/** Form 1. Arrays, not objects: a key may be `__proto__`, and the document is rewritten with every event. */
interface EncodedPoints {
  readonly v: 1;
  readonly createdAt: number;
  readonly zone: string;
  readonly position: number;
  readonly systems: readonly EncodedSystem[];
}

type EncodedSystem = readonly [key: string, total: string, settledTo: number, sums: readonly EncodedSum[]];
/** Without `high` it is equal to `sum`, as it always is unless a value was negative. */
type EncodedSum = readonly [triggerId: string, sum: string, high?: string];

export function encodePoints(state: PointsState): unknown {
  return state.kind === 'unknown' ? null : encodeKnown(state);
}

function encodeKnown({ createdAt, zone, position, systems }: KnownPoints): EncodedPoints {
  return { v: 1, createdAt, zone, position, systems: [...systems].map(encodeSystem) };
}

function encodeSystem([key, { total, settledTo, sums }]: readonly [string, SystemState]): EncodedSystem {
  return [key, String(total), settledTo, [...sums].map(encodeSum)];
}

function encodeSum([triggerId, { sum, high }]: readonly [string, MetricSum]): EncodedSum {
  return high === sum ? [triggerId, formatAmount(sum)] : [triggerId, formatAmount(sum), formatAmount(high)];
}

/** Reads what {@link encodePoints} wrote. @throws RangeError for a form that this release does not know. */
export function decodePoints(json: unknown): PointsState {
  if (json === null || json === undefined) return { kind: 'unknown' };
  const encoded = json as EncodedPoints;
  if (encoded.v !== 1) throw new RangeError(`points state of an unknown form: ${JSON.stringify(encoded.v)}`);
  const { createdAt, zone, position, systems } = encoded;
  return { kind: 'known', createdAt, zone, position, systems: new Map(systems.map(decodeSystem)) };
}

function decodeSystem([key, total, settledTo, sums]: EncodedSystem): [string, SystemState] {
  return [key, { total: BigInt(total), settledTo, sums: new Map(sums.map(decodeSum)) }];
}

function decodeSum([triggerId, sum, high]: EncodedSum): [string, MetricSum] {
  return [triggerId, { sum: parseAmount(sum), high: parseAmount(high ?? sum) }];
}
