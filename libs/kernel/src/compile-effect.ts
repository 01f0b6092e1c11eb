import type { AnyEffectKind, EffectField } from './declarations/effects/index.ts';
import type { Effect } from './effects.ts';
import {
  isAbsent,
  REST_CODECS,
  systemOfTriggerNumber,
  VALUE_CODECS,
  type EffectsRow,
  type FieldsByName,
  type RestCodec,
  type Stored,
  type ValueCodec,
} from './stored-values.ts';

/** An effect in its stored form. */
export type StoredEffect = number | readonly Stored[];

/** Writes and reads the effects of one type. */
export interface CompiledEffect {
  readonly type: string;
  write(effect: Effect, row: EffectsRow): StoredEffect;
  read(stored: StoredEffect, row: EffectsRow): Effect;
}

/** One element of a stored list. */
interface Place {
  readonly name: string;
  readonly codec: ValueCodec<unknown>;
  /** Whether a trailing 0 is left out. */
  readonly mayEnd: boolean;
}
/** Reads a field; `undefined` if it is absent. */
type Read = (list: readonly Stored[], row: EffectsRow, made: FieldsByName) => unknown;
type List = readonly [tag: string | null, ...fields: string[]];

/** @param kind a kind of effect that a column holds */
export function compileEffect(type: string, kind: AnyEffectKind): CompiledEffect {
  const { stored } = kind;
  if (stored === null) throw new Error(`no column holds ${type}`);
  if ('number' in stored) return compileNumber(type, kind, stored.number, 1);
  if ('negative' in stored) return compileNumber(type, kind, stored.negative, -1);
  const make = makerOf(type, kind, placesOf(stored));
  const write = listWriter(kind, stored);
  return {
    type,
    write: (effect, row) => write(effect as unknown as FieldsByName, row),
    read: (list, row) => make(list as readonly Stored[], row),
  };
}

function compileNumber(type: string, kind: AnyEffectKind, name: string, sign: 1 | -1): CompiledEffect {
  const make = makerOf(type, kind, new Map([[name, 0]]));
  const { codec } = placeOf(name, kind);
  return {
    type,
    write(effect, row) {
      const fields = effect as unknown as FieldsByName;
      return sign * (codec.write(fields[name], row, fields) as number);
    },
    read: (number, row) => make([Math.abs(number as number)], row),
  };
}

/** The elements of the list that hold fields. */
function placesOf([tag, ...names]: List): ReadonlyMap<string, number> {
  const first = tag === null ? 0 : 1;
  return new Map(names.map((name, index) => [nameIn(name), first + index]));
}

const nameIn = (stored: string): string => stored.replace(/\?$/, '');

function listWriter(
  kind: AnyEffectKind,
  [tag, ...names]: List,
): (effect: FieldsByName, row: EffectsRow) => readonly Stored[] {
  const rest = restOf(names.at(-1), kind);
  const places = names.slice(0, rest === null ? names.length : -1).map((name) => placeOf(name, kind));
  return (effect, row) => {
    const list: Stored[] = tag === null ? [] : [tag];
    let end = list.length;
    for (const { name, codec, mayEnd } of places) {
      const value = codec.write(effect[name], row, effect);
      list.push(value === undefined ? (codec.absent === undefined ? 0 : codec.absent) : value);
      if (value !== undefined && !(value === 0 && mayEnd)) end = list.length;
    }
    const others = rest === null ? NOTHING : valuesOf(rest, effect, row);
    if (others.length === 0) list.length = end;
    else list.push(...others);
    return list;
  };
}

/** The field that takes all remaining elements of a list. */
interface Rest {
  readonly name: string;
  readonly codec: RestCodec<unknown>;
}

/** null if there is no such field. */
function restOf(name: string | undefined, { fields }: AnyEffectKind): Rest | null {
  const codec = name === undefined ? undefined : restCodec(fields[name]);
  return name === undefined || codec === undefined ? null : { name, codec };
}

function valuesOf({ name, codec }: Rest, effect: FieldsByName, row: EffectsRow): readonly Stored[] {
  const value = effect[name];
  return value === undefined ? NOTHING : codec.write(value, row, effect);
}

function placeOf(stored: string, { fields }: AnyEffectKind): Place {
  const name = nameIn(stored);
  const codec = valueCodec(fields[name]);
  if (codec === undefined) throw new Error(`the field ${name} is not stored`);
  return { name, codec, mayEnd: name !== stored };
}

function makerOf(type: string, kind: AnyEffectKind, places: ReadonlyMap<string, number>) {
  const readers = Object.keys(kind.fields).map((name) => ({ name, read: readerOf(name, kind, places) }));
  return (list: readonly Stored[], row: EffectsRow): Effect => {
    const made: FieldsByName = { type };
    for (const { name, read } of readers) {
      const value = read(list, row, made);
      if (value !== undefined) made[name] = value;
    }
    return made as unknown as Effect;
  };
}

function readerOf(name: string, kind: AnyEffectKind, places: ReadonlyMap<string, number>): Read {
  const field = kind.fields[name];
  const place = places.get(name);
  if (place === undefined) return unstoredReader(name, kind, places);
  const rest = restCodec(field);
  if (rest !== undefined)
    return (list, row, made) => rest.read(list.length > place ? list.slice(place) : NOTHING, row, made);
  const { codec } = placeOf(name, kind);
  return (list, row, made) => codec.read(list[place], row, made);
}

/** Reads a field that is computed from others. */
function unstoredReader(name: string, kind: AnyEffectKind, places: ReadonlyMap<string, number>): Read {
  const field = kind.fields[name];
  const placeHolding = (holds: EffectField) =>
    [...places].find(([other]) => kind.fields[other] === holds)?.[1] ?? NOWHERE;
  if (field === 'event instant') return (_, row) => row.at;
  if (field === 'fell due') {
    const place = placeHolding('due instant');
    return (list) => !isAbsent(list[place]);
  }
  if (field === 'system of trigger') {
    const place = placeHolding('trigger');
    return (list, { names }) => systemOfTriggerNumber(list[place] as number, names);
  }
  if (typeof field === 'object' && 'is' in field) return () => field.is;
  if (typeof field === 'object') {
    const read = readerOf(field.daysBefore, kind, places);
    return (list, row, made) => (read(list, row, made) as number) - field.days;
  }
  throw new Error(`the field ${name} must be stored`);
}

const NOWHERE = -1;
const NOTHING: readonly Stored[] = [];

const valueCodec = (field: EffectField | undefined): ValueCodec<unknown> | undefined => VALUE_CODECS.get(String(field));

const restCodec = (field: EffectField | undefined): RestCodec<unknown> | undefined => REST_CODECS.get(String(field));
