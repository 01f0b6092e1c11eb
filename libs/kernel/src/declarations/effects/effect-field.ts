import type { Exact } from '@laurel/amounts';
import type { Day, Instant, Zone } from '@laurel/calendar';
import type { Boost } from '../../boost.ts';

/** A streak after an event. */
export interface StreakAfter {
  /** The user's day of the extension that began it. */
  readonly startedOn: Day;
  /** The last day, on the user's clock, on which it is alive. */
  readonly expiresOn: Day;
  /** Freezes held. */
  readonly held: number;
}

export interface MissingAmount {
  readonly metric: string;
  readonly amount: Exact;
}

export interface MetricTotal {
  readonly metric: string;
  readonly total: Exact;
}

/** The types of the fields of effects, by the kind that a declaration names. */
export interface EffectValues {
  /** A whole number. */
  readonly count: number;
  readonly boolean: boolean;
  /** Present only if it is true. */
  readonly mark: true;
  readonly instant: Instant;
  /** The instant of the event itself, so it is not stored. */
  readonly 'event instant': Instant;
  /** The instant at which an award fell due, or the instant of the event, which is not stored. */
  readonly 'due instant': Instant;
  /** Whether the effect has a `due instant` of its own. Not stored. */
  readonly 'fell due': boolean;
  /** A date on the user's clock. */
  readonly day: Day;
  /** The date of the field `at`, on the clock then in force. */
  readonly 'day of at': Day;
  readonly zone: Zone;
  /** Fields that hold keys. */
  readonly metric: string;
  readonly system: string;
  readonly achievement: string;
  readonly board: string;
  /** A level's key; null below all levels. */
  readonly level: string | null;
  /** The id of a trigger, or a built-in trigger. Stored with the field `system`. */
  readonly trigger: string;
  /** The key of the trigger's system. Not stored. */
  readonly 'system of trigger': string;
  /** Millionths. */
  readonly amount: Exact;
  readonly 'amount or null': Exact | null;
  /** Whole points. */
  readonly points: Exact;
  readonly 'count or null': number | null;
  /** Stored in relation to the field `period`. */
  readonly 'streak after': StreakAfter;
  readonly 'missing amounts': readonly MissingAmount[];
  readonly 'metric totals': readonly MetricTotal[];
  readonly boost: Boost;
  /** At least one. */
  readonly boosts: readonly Boost[];
}

export type ValueKind = keyof EffectValues;
/** These fields may be absent. */
type OptionalKind = 'count' | 'instant' | 'mark' | 'streak after' | 'boosts';

/**
 * The kind of a field. A kind with `?` may be absent. Two forms are not stored: a constant, and a day that is a fixed number of days
 * before the day in another field.
 */
export type EffectField =
  ValueKind | `${OptionalKind}?` | { readonly is: number } | { readonly daysBefore: string; readonly days: number };
export type EffectFields = Readonly<Record<string, EffectField>>;

type ValueOf<One> = One extends ValueKind
  ? EffectValues[One]
  : One extends `${infer Kind extends OptionalKind}?`
    ? EffectValues[Kind]
    : One extends { readonly is: infer Value }
      ? Value
      : Day;
type IsOptional<One> = One extends `${OptionalKind}?` ? true : false;
type Flat<All> = { readonly [Name in keyof All]: All[Name] };

/** The fields of an effect with their types, which keep the comments of the declaration. */
export type FieldValues<All extends EffectFields> = Flat<
  { readonly [Name in keyof All as IsOptional<All[Name]> extends true ? never : Name]: ValueOf<All[Name]> } & {
    readonly [Name in keyof All as IsOptional<All[Name]> extends true ? Name : never]?: ValueOf<All[Name]>;
  }
>;
