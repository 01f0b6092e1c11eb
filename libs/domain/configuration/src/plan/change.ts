import { isDeepStrictEqual } from 'node:util';
import type { ConfigurationPlanAnswer } from '@laurel/schemas';

/** One addition, removal or change of a version, and its effect on users. */
export type Change = ConfigurationPlanAnswer['changes'][number];

export function added(path: string, after: unknown, effect: string): Change {
  return { kind: 'added', path, after, effect };
}

export function removed(path: string, before: unknown, effect: string): Change {
  return { kind: 'removed', path, before, effect };
}

export function changed(path: string, before: unknown, after: unknown, effect: string): Change {
  return { kind: 'changed', path, before, after, effect };
}

/** Describes the effect of a changed field. */
export type Effect<Value> = string | ((before: Value, after: Value) => string);

/** Has an entry for each field, so that the compiler finds missing ones. */
export type FieldEffects<Entry, Apart extends keyof Entry> = {
  readonly [Field in Exclude<keyof Entry, Apart>]-?: Effect<Entry[Field]>;
};

/** A change for each field whose value differs, in the order of `effects`. */
export function changedFields<Entry extends object, Apart extends keyof Entry>(
  path: string,
  before: Entry,
  after: Entry,
  effects: FieldEffects<Entry, Apart>,
): Change[] {
  const fields = Object.keys(effects) as Exclude<keyof Entry & string, Apart>[];
  return fields.flatMap((field) => {
    const [was, is] = [before[field], after[field]];
    if (isDeepStrictEqual(was, is)) return [];
    const effect = effects[field];
    return [changed(`${path}.${field}`, was, is, typeof effect === 'string' ? effect : effect(was, is))];
  });
}
