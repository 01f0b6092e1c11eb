import { exactOf, formatMillionths, parseMillionths } from '@laurel/amounts';
import type { Instant, Zone } from '@laurel/calendar';
import { BOOST_ROUNDINGS, type Boost } from '@laurel/kernel';
import { NOTHING_USED, type CapId, type Present } from './award/present.ts';
import type { MetricTrigger, PointsPlan, SystemPlan } from './points-plan.ts';
import type { LevelSince, PointsState, SystemState } from './points-state.ts';

/** Format 1. Uses arrays, because a key may be `__proto__`, and because the state is rewritten with every event. */
interface StoredPoints {
  readonly v: 1;
  /** null if corrections retracted all events of the user. */
  readonly createdAt: Instant | null;
  readonly zone: Zone;
  readonly position: number;
  readonly erased?: true;
  readonly at?: StoredInstant;
  /** Missing if nothing is used of any cap. Sorted by id. */
  readonly caps?: readonly (readonly [CapId, number])[];
  readonly systems: readonly StoredSystem[];
}

/**
 * The instant of the present, with the number of days from its date in UTC to that of the present if they differ.
 * Missing before the first record.
 */
type StoredInstant = Instant | readonly [at: Instant, days: number];

/**
 * `level` is missing, or null before others, if no event has reached a level. `earned` is missing if it equals `total`,
 * which is so until something is taken. `left` is missing, or empty before others, if all points of every spend are left. `boosts`
 * is missing if the user was given none, `boostsEndedTo` if none has ended.
 */
export type StoredSystem = readonly [
  key: string,
  total: string,
  settledTo: Instant,
  sums: readonly StoredSum[],
  level?: LevelSince | null,
  earned?: string,
  left?: readonly (readonly [position: number, left: string])[],
  boosts?: readonly StoredBoost[],
  boostsEndedTo?: Instant,
];
/** The name comes last. */
type StoredBoost = readonly [
  id: string,
  multiplier: number,
  rounding: number,
  start: Instant,
  end: Instant | null,
  name: string,
];
/** `high` is missing if it equals `sum`, which is always so unless a value was negative. */
export type StoredSum = readonly [triggerId: string, sum: string, high?: string];

/** @returns null if nothing is recorded for the user */
export function encodePoints(state: PointsState, plan: PointsPlan): StoredPoints | null {
  const { createdAt, zone, position, erased, others } = state;
  if (position === 0) return null;
  const known = plan.systems.flatMap((system, place) => encodeSystem(state, system, state.systems[place]));
  const systems = [...known, ...others];
  const { at, caps } = encodePresent(state.present);
  // Lists every field, because this runs for every event and spreading objects takes several times as long.
  if (!erased && caps === undefined && at !== undefined) return { v: 1, createdAt, zone, position, at, systems };
  return {
    v: 1,
    createdAt,
    zone,
    position,
    ...(erased && { erased }),
    ...(at !== undefined && { at }),
    ...(caps && { caps }),
    systems,
  };
}

function encodePresent(present: Present | null): Pick<StoredPoints, 'at' | 'caps'> {
  if (present === null) return NO_PRESENT;
  const { day, used } = present;
  const days = day - dayInUtc(present.at);
  const at = days === 0 ? present.at : ([present.at, days] as const);
  return used.size === 0 ? { at } : { at, caps: storedCaps(used) };
}

const NO_PRESENT = {};

const DAY_MS = 86_400_000;
const dayInUtc = (at: Instant) => Math.floor(at / DAY_MS);

const storedCaps = (used: Present['used']): StoredPoints['caps'] =>
  [...used].map(([id, points]) => [id, Number(points)] as const).sort(([one], [other]) => (one < other ? -1 : 1));

function decodePresent({ at, caps }: StoredPoints): Present | null {
  if (at === undefined) return null;
  const [instant, days] = typeof at === 'number' ? [at, 0] : at;
  return { at: instant, day: dayInUtc(instant) + days, used: caps === undefined ? NOTHING_USED : new Map(caps) };
}

function encodeSystem(
  { sums }: PointsState,
  { key, metricTriggers }: SystemPlan,
  system: SystemState | undefined,
): readonly StoredSystem[] {
  if (system === undefined) return [];
  const known = [...metricTriggers.values()].flatMap((trigger) => encodeSum(sums, trigger));
  const { total, earned, settledTo, level, otherSums, left, boosts, boostsEndedTo } = system;
  const stored = [key, String(total), settledTo, [...known, ...otherSums]] as const;
  if (boosts.length > 0) {
    const given = [...stored, level, String(earned), storedLeft(left), boosts.map(storedBoost)] as const;
    return [boostsEndedTo === 0 ? given : [...given, boostsEndedTo]];
  }
  if (left.size > 0) return [[...stored, level, String(earned), storedLeft(left)]];
  if (earned !== total) return [[...stored, level, String(earned)]];
  return [level === null ? stored : [...stored, level]];
}

const storedLeft = (left: SystemState['left']): StoredSystem[6] =>
  [...left].map(([position, points]) => [position, String(points)] as const);

const storedBoost = ({ id, multiplier, rounding, start, end, name }: Boost): StoredBoost => [
  id,
  multiplier,
  BOOST_ROUNDINGS.indexOf(rounding),
  start,
  end,
  name,
];

function boostIn([id, multiplier, stored, start, end, name]: StoredBoost): Boost {
  const rounding = BOOST_ROUNDINGS[stored];
  if (rounding === undefined) throw new RangeError(`a boost with an unknown rounding: ${stored}`);
  return { id, name, multiplier, rounding, start, end };
}

function encodeSum(sums: PointsState['sums'], { id, place }: MetricTrigger): readonly StoredSum[] {
  const counted = sums[place];
  if (counted === undefined) return [];
  const { sum, high } = counted;
  return [high === sum ? [id, formatMillionths(sum)] : [id, formatMillionths(sum), formatMillionths(high)]];
}

/**
 * Decodes the output of {@link encodePoints} into `state`, an empty state of the plan.
 * @throws RangeError for a format that this release does not know.
 */
export function decodePoints(json: unknown, plan: PointsPlan, state: PointsState): PointsState {
  if (json === null || json === undefined) return state;
  const { v, createdAt, zone, position, erased = false, systems } = json as StoredPoints;
  if (v !== 1) throw new RangeError(`points state of an unknown form: ${JSON.stringify(v)}`);
  const others = systems.filter((stored) => !decodeSystem(state, stored, plan));
  return { ...state, createdAt, zone, position, erased, present: decodePresent(json as StoredPoints), others };
}

/** @returns false if the version does not have the system */
function decodeSystem(
  { systems, sums: counted }: PointsState,
  [key, total, settledTo, sums, level, earned = total, left = [], boosts = [], boostsEndedTo = 0]: StoredSystem,
  plan: PointsPlan,
): boolean {
  const place = plan.systemByKey.get(key);
  const system = place === undefined ? undefined : plan.systems[place];
  if (place === undefined || system === undefined) return false;
  const otherSums = sums.filter((stored) => !decodeSum(counted, stored, system));
  systems[place] = {
    total: exactOf(BigInt(total)),
    earned: exactOf(BigInt(earned)),
    settledTo,
    level: level ?? null,
    otherSums,
    left: new Map(left.map(([position, points]) => [position, exactOf(BigInt(points))])),
    boosts: boosts.map(boostIn),
    boostsEndedTo,
  };
  return true;
}

/** @returns false if the version does not have the trigger */
function decodeSum(counted: PointsState['sums'], [triggerId, sum, high]: StoredSum, { metricTriggers }: SystemPlan) {
  const trigger = metricTriggers.get(triggerId);
  if (trigger === undefined) return false;
  counted[trigger.place] = { sum: parseMillionths(sum), high: parseMillionths(high ?? sum) };
  return true;
}
