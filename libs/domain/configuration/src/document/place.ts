import type { Path } from './path.ts';

/**
 * A value, with its path, in a document that may be invalid. Rules over several fields read through this, so that they report problems
 * even if other parts of the document are invalid.
 */
export interface Place {
  readonly path: Path;
  readonly value: unknown;
}

/** The value of a field; `undefined` if it is absent or null. Only own fields: a map has no field `constructor`. */
export function fieldOf(place: Place, name: string): Place {
  return { path: [...place.path, name], value: ownValue(place.value, name) ?? undefined };
}

/** The elements of a list; none if it is no list. */
export function elementsOf(place: Place): readonly Place[] {
  if (!Array.isArray(place.value)) return [];
  return place.value.map((value: unknown, index) => ({ path: [...place.path, index], value }));
}

export function listAt(place: Place, name: string): readonly Place[] {
  return elementsOf(fieldOf(place, name));
}

export function textOf(place: Place): string | undefined {
  return typeof place.value === 'string' ? place.value : undefined;
}

export function textAt(place: Place, name: string): string | undefined {
  return textOf(fieldOf(place, name));
}

export function numberAt(place: Place, name: string): number | undefined {
  const { value } = fieldOf(place, name);
  return typeof value === 'number' ? value : undefined;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path, `undefined` where the path leads nowhere. */
export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, segment) => (Array.isArray(value) ? value[Number(segment)] : ownValue(value, String(segment))),
    root,
  );
}

function ownValue(value: unknown, name: string): unknown {
  return isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
