import { exactOf, formatMillionths, parseMillionths, type Exact } from '@laurel/amounts';
import { dayAt, type Day, type Instant } from '@laurel/calendar';
import { boostOfText, boostText, type Boost } from './boost.ts';
import type { ConfiguredNames } from './configured-names.ts';
import type { EffectValues, MetricTotal, MissingAmount, StreakAfter, ValueKind } from './declarations/effects/index.ts';
import { BUILT_IN_TRIGGERS, isBuiltInTrigger, type BuiltInTrigger } from './effects.ts';

/** One element of a stored effect. */
export type Stored = number | string | null;
/** The fields of an effect. */
export type FieldsByName = Record<string, unknown>;

/** The row of an event that holds effects. */
export class EffectsRow {
  readonly at: Instant;
  readonly names: ConfiguredNames;
  #today: Day | null = null;

  constructor(at: Instant, names: ConfiguredNames) {
    this.at = at;
    this.names = names;
  }

  /** The event's date in UTC. */
  get today(): Day {
    return (this.#today ??= dayAt(this.at, 'UTC'));
  }

  /** The date of an instant in UTC. */
  dayOf(at: Instant): Day {
    return at === this.at ? this.today : dayAt(at, 'UTC');
  }
}

/** Stores values of one kind as one element of the list. `undefined` is left out at the end, and written as `absent` elsewhere. */
export interface ValueCodec<Value> {
  /** Default: 0. */
  readonly absent?: Stored;
  write(value: Value, row: EffectsRow, effect: FieldsByName): Stored | undefined;
  /** @param made the fields of the effect that are declared before this one */
  read(stored: Stored | undefined, row: EffectsRow, made: FieldsByName): Value;
}
type CodecsOf<Kind extends ValueKind> = { readonly [One in Kind]: ValueCodec<EffectValues[One]> };

/** Whether an element does not hold the instant at which an effect fell due. */
export const isAbsent = (stored: Stored | undefined): boolean => stored === undefined || stored === null;

const asNumber = (stored: Stored | undefined): number => (stored ?? 0) as number;

/** More than the number of any system. The built-in trigger at place p, in system n, is stored as -n - p * NUMBERS_PER_BUILT_IN. */
export const NUMBERS_PER_BUILT_IN = 1_000_000;

/** The number of a built-in trigger in the system with this number. */
export const builtInNumber = (trigger: BuiltInTrigger, system: number): number =>
  -system - BUILT_IN_TRIGGERS.indexOf(trigger) * NUMBERS_PER_BUILT_IN;

const triggerNumber = (triggerId: string, system: string, { triggers, systems }: ConfiguredNames): number =>
  isBuiltInTrigger(triggerId) ? builtInNumber(triggerId, systems.numberOf(system)) : triggers.numberOf(triggerId);

/** @throws RangeError for an unknown number */
function triggerNumbered(number: number, { triggers }: ConfiguredNames): string {
  if (number >= 0) return triggers.nameOf(number);
  const trigger = BUILT_IN_TRIGGERS[Math.floor(-number / NUMBERS_PER_BUILT_IN)];
  if (trigger === undefined) throw new RangeError(`no built-in trigger has the number ${number}`);
  return trigger;
}

/** The key of the system of a trigger, by the number that stands for the trigger. @throws RangeError for an unknown number */
export function systemOfTriggerNumber(number: number, { triggers, systems, systemOfTrigger }: ConfiguredNames): string {
  if (number < 0) return systems.nameOf(-number % NUMBERS_PER_BUILT_IN);
  return systemOfTrigger.get(triggers.nameOf(number)) as string;
}

const MILLION = 1_000_000;

/** Whole amounts as numbers, others as decimals. */
const storedAmount = (amount: Exact): Stored =>
  typeof amount === 'number' && amount % MILLION === 0 ? amount / MILLION : formatMillionths(amount);

const amountIn = (stored: Stored | undefined): Exact =>
  typeof stored === 'string' ? parseMillionths(stored) : asNumber(stored) * MILLION || 0;

/** Kinds that store a value as one element. */
const CODECS: CodecsOf<'count' | 'boolean' | 'instant' | 'due instant' | 'day' | 'day of at' | 'zone' | 'level'> &
  CodecsOf<'metric' | 'system' | 'achievement' | 'trigger' | 'boost' | 'amount' | 'points'> = {
  count: { write: (count) => count, read: asNumber },
  boolean: { write: (is) => (is ? 1 : 0), read: (stored) => stored === 1 },
  /** Milliseconds from the event. */
  instant: { write: (at, row) => at - row.at, read: (stored, row) => row.at + asNumber(stored) },
  'due instant': {
    absent: null,
    write: (at, _, { due }) => (due === true ? at : undefined),
    read: (stored, row) => (isAbsent(stored) ? row.at : asNumber(stored)),
  },
  /** Days from the event's date in UTC. */
  day: { write: (day, row) => day - row.today, read: (stored, row) => row.today + asNumber(stored) },
  'day of at': {
    write: (day, row, { at }) => day - row.dayOf(at as Instant),
    read: (stored, row, { at }) => row.dayOf(at as Instant) + asNumber(stored),
  },
  zone: { write: (zone) => zone, read: (stored) => stored as string },
  level: { write: (key) => key, read: (stored) => stored as string | null },
  metric: {
    write: (key, { names }) => names.metrics.numberOf(key),
    read: (stored, { names }) => names.metrics.nameOf(asNumber(stored)),
  },
  system: {
    write: (key, { names }) => names.systems.numberOf(key),
    read: (stored, { names }) => names.systems.nameOf(asNumber(stored)),
  },
  achievement: {
    write: (key, { names }) => names.achievements.numberOf(key),
    read: (stored, { names }) => names.achievements.nameOf(asNumber(stored)),
  },
  trigger: {
    write: (id, { names }, { system }) => triggerNumber(id, system as string, names),
    read: (stored, { names }) => triggerNumbered(asNumber(stored), names),
  },
  /** The number of a boost of the configuration; the text of one that a user was given. */
  boost: {
    write: (boost, { names }) => names.boosts.find(boostText(boost)) ?? boostText(boost),
    read: (stored, { names }) =>
      boostOfText(typeof stored === 'string' ? stored : names.boosts.nameOf(asNumber(stored))),
  },
  amount: { write: storedAmount, read: amountIn },
  /** Values beyond 2^53 are text. */
  points: {
    write: (points) => (typeof points === 'bigint' ? String(points) : points),
    read: (stored) => (typeof stored === 'string' ? exactOf(BigInt(stored)) : asNumber(stored)),
  },
};

/** Kinds that may be absent: 0 stands for an absent value. */
const OPTIONAL_CODECS: {
  readonly [Kind in 'count' | 'instant' | 'mark' as `${Kind}?`]: ValueCodec<EffectValues[Kind] | undefined>;
} = {
  /** Stored as the count plus one. */
  'count?': {
    write: (count) => (count === undefined ? undefined : count + 1),
    read: (stored) => (stored === 0 || stored === undefined ? undefined : asNumber(stored) - 1),
  },
  /**
   * Stored as the milliseconds from the event's instant to this one; 1 is added unless they are negative, because 0
   * stands for an absent value.
   */
  'instant?': {
    write: (at, row) => (at === undefined ? undefined : awayFromZero(at - row.at)),
    read: (stored, row) => (stored === 0 || stored === undefined ? undefined : row.at + towardsZero(asNumber(stored))),
  },
  'mark?': { write: (is) => (is ? 1 : undefined), read: (stored) => (stored === 1 ? true : undefined) },
};

const awayFromZero = (later: number): number => (later < 0 ? later : later + 1);
const towardsZero = (stored: number): number => (stored < 0 ? stored : stored - 1);

/** Stores values of one kind as all elements to the end of the list. */
export interface RestCodec<Value> {
  write(value: Value, row: EffectsRow, effect: FieldsByName): readonly Stored[];
  read(rest: readonly Stored[], row: EffectsRow, made: FieldsByName): Value;
}

const RESTS: {
  readonly 'streak after?': RestCodec<StreakAfter | undefined>;
  readonly 'missing amounts': RestCodec<readonly MissingAmount[]>;
  readonly 'metric totals': RestCodec<readonly MetricTotal[]>;
  readonly 'boosts?': RestCodec<readonly Boost[] | undefined>;
} = {
  /** The freezes held plus one, then the first and the last day of the streak, in days from the first day of the period. */
  'streak after?': {
    write: (after, _, effect) => {
      if (after === undefined) return [];
      const period = effect['period'] as Day;
      const stored = [after.held + 1, after.startedOn - period, after.expiresOn - period];
      while (stored.at(-1) === 0) stored.pop();
      return stored;
    },
    read: ([held = 0, startedOn, expiresOn], _, made) => {
      if (held === 0) return undefined;
      const period = made['period'] as Day;
      return {
        startedOn: period + asNumber(startedOn),
        expiresOn: period + asNumber(expiresOn),
        held: asNumber(held) - 1,
      };
    },
  },
  /** Keys and decimals alternate. */
  'missing amounts': {
    write: (missing) => missing.flatMap(({ metric, amount }) => [metric, formatMillionths(amount)]),
    read: (rest) =>
      pairsIn(rest, (metric, amount) => ({ metric: metric as string, amount: parseMillionths(amount as string) })),
  },
  'metric totals': {
    write: (totals, { names }) =>
      totals.flatMap(({ metric, total }) => [names.metrics.numberOf(metric), storedAmount(total)]),
    read: (rest, { names }) =>
      pairsIn(rest, (metric, total) => ({ metric: names.metrics.nameOf(asNumber(metric)), total: amountIn(total) })),
  },
  'boosts?': {
    write: (boosts = [], row, effect) => boosts.map((boost) => CODECS.boost.write(boost, row, effect) ?? null),
    read: (rest, row, made) =>
      rest.length === 0 ? undefined : rest.map((boost) => CODECS.boost.read(boost, row, made)),
  },
};

const pairsIn = <Pair>(rest: readonly Stored[], pairOf: (first: Stored, second: Stored) => Pair): readonly Pair[] =>
  Array.from({ length: rest.length / 2 }, (_, pair) => pairOf(rest[2 * pair] as Stored, rest[2 * pair + 1] as Stored));

/** The codecs by the kind of value that a field holds. */
export const VALUE_CODECS: ReadonlyMap<string, ValueCodec<unknown>> = new Map(
  Object.entries<ValueCodec<unknown>>({ ...CODECS, ...OPTIONAL_CODECS }),
);

/** By the kind, for fields that take the rest of a list. */
export const REST_CODECS: ReadonlyMap<string, RestCodec<unknown>> = new Map(Object.entries<RestCodec<unknown>>(RESTS));
