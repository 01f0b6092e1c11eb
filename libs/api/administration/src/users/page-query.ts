import { ProblemError, invalidRequest, mistakenParameters, type ProblemItem } from '@laurel/schemas';
import type { Query } from '@laurel/runtime';

const MOST = 40;
const DEFAULT = 20;
const LONGEST_CURSOR = 4_096;
const NOT_TEXT = 'must hold neither NUL nor a lone surrogate';

/** The content of a cursor: the values by which the list orders the last row of the page. */
export type Place = readonly (string | number)[];

/** An opaque cursor for a place in a list. */
export const cursorOf = (list: string, place: Place): string =>
  Buffer.from(JSON.stringify([list, ...place])).toString('base64url');

/**
 * The rows of a page, and the cursor after them.
 * @param rows those of the page, and one more if the list continues
 * @param placeOf the values that the list is sorted by
 */
export function pageOf<Row>(list: string, rows: readonly Row[], limit: number, placeOf: (row: Row) => Place) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, next: last === undefined ? null : cursorOf(list, placeOf(last)) };
}

/** Reads the query of a list and collects its problems. Unknown parameters are ignored unless they are close to known ones. */
export class PageQuery {
  readonly #query: Query;
  readonly #problems: ProblemItem[];

  /** @param filters the list's parameters besides `limit` and `cursor` */
  constructor(query: Query, filters: readonly string[] = []) {
    this.#query = query;
    this.#problems = mistakenParameters(['limit', 'cursor', ...filters], query);
  }

  /** Call it before using the values read. @throws ProblemError 422 that lists every wrong parameter */
  check(): void {
    if (this.#problems.length > 0) throw new ProblemError(invalidRequest(this.#problems));
  }

  /** @param most a lower limit for a list with expensive rows */
  limit(most = MOST): number {
    const { limit = String(DEFAULT) } = this.#query;
    const asked = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : NaN;
    if (asked >= 1 && asked <= most) return asked;
    this.refuse('limit', `must be an integer from 1 to ${most}`);
    return DEFAULT;
  }

  /** null if the parameter is missing. */
  text(name: string, longest: number): string | null {
    const text = this.#query[name];
    if (text === undefined) return null;
    if (typeof text !== 'string') this.refuse(name, 'must be given once');
    else if ([...text].length > longest) this.refuse(name, `must have at most ${longest} characters`);
    else if (/[\0\p{Surrogate}]/u.test(text)) this.refuse(name, NOT_TEXT);
    else return text;
    return null;
  }

  /**
   * Where the page begins, or null for the beginning of the list.
   * @param isPlace whether a place belongs to this list
   */
  cursor<P extends Place>(list: string, isPlace: (place: Place) => place is P): P | null {
    const { cursor } = this.#query;
    if (cursor === undefined) return null;
    const place = typeof cursor === 'string' ? placeIn(cursor, list) : null;
    if (place !== null && isPlace(place)) return place;
    this.refuse('cursor', 'must be `next` of a page of this list');
    return null;
  }

  /** Adds a problem; {@link check} throws all of them. */
  refuse(path: string, message: string): void {
    this.#problems.push({ path, message });
  }
}

/** Instants whose year has four digits. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** A place in a list that is sorted newest first. */
export const isInstantAndSubject = (place: Place): place is readonly [number, number] => {
  const [at, subject] = place;
  return (
    place.length === 2 &&
    Number.isSafeInteger(at) &&
    Number.isSafeInteger(subject) &&
    Number(at) >= EARLIEST &&
    Number(at) <= LATEST
  );
};

function placeIn(cursor: string, list: string): Place | null {
  if (cursor.length > LONGEST_CURSOR) return null;
  const place = parsed(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(place) || place[0] !== list) return null;
  const rest = place.slice(1) as unknown[];
  return rest.every((one) => typeof one === 'number' || typeof one === 'string') ? rest : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
