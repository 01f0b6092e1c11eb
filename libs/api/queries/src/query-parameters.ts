import { type LocalDate, parseDate } from '@laurel/calendar';
import {
  flagOf,
  invalidRequest,
  mistakenParameters,
  mustBeOneOf,
  ProblemError,
  type ProblemItem,
} from '@laurel/schemas';
import type { CursorFormat, Query } from '@laurel/runtime';
import { listedValues } from './listed-values.ts';

/** From this date on, every period and every run of a board has dates with four-digit years. */
const EARLIEST: LocalDate = '0001-02-01';
const LATEST: LocalDate = '9999-11-30';

/**
 * Reads query parameters and collects their problems, so that all are listed. For a wrong parameter, a method returns a
 * substitute, so call {@link check} before using the values. By then the route must have read all its parameters.
 * Unknown parameters are ignored, except `userAttributes` and names close to a known one (specification, section 2.4).
 */
export class QueryParameters {
  readonly #query: Query;
  readonly #problems: ProblemItem[] = [];
  readonly #known = new Set<string>();

  constructor(query: Query) {
    this.#query = query;
    // `userAttributes` selects users. If it were ignored, the caller would get the numbers of all users.
    for (const name of Object.keys(query))
      if (/^userAttributes(?:$|\[)/.test(name)) this.refuse(name, 'is not supported: users cannot be filtered yet');
  }

  /** @throws ProblemError 422 with every problem found. */
  check(): void {
    const problems = [...this.#problems, ...mistakenParameters(this.#known, this.#query)];
    if (problems.length > 0) throw new ProblemError(invalidRequest(problems));
  }

  refuse(path: string, message: string): void {
    this.#problems.push({ path, message });
  }

  integer(name: string, bounds: { readonly min: number; readonly max: number; readonly fallback: number }): number {
    const text = this.#text(name);
    if (text === undefined) return bounds.fallback;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
    if (value >= bounds.min && value <= bounds.max) return value;
    this.refuse(name, `must be an integer from ${bounds.min} to ${bounds.max}`);
    return bounds.fallback;
  }

  /** A missing parameter means false. Python clients write `True`, others 1. */
  flag(name: string): boolean {
    const text = this.#text(name);
    const value = text === undefined ? false : flagOf(text);
    if (value === undefined) this.refuse(name, 'must be true or false');
    return value ?? false;
  }

  /** A required choice. */
  choice<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
    const text = this.#text(name);
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) this.refuse(name, mustBeOneOf(choices).error({ input: text }));
    return chosen ?? choices[0];
  }

  /** A date, or null if it is missing or refused as invalid. Reads `otherName` if `name` is missing. */
  date(name: string, otherName: string = name): LocalDate | null {
    this.#known.add(name).add(otherName);
    const present = this.isPresent(name) ? name : otherName;
    const text = this.#text(present);
    if (text === undefined) return null;
    const date = parseDate(text);
    if (date !== null && date >= EARLIEST && date <= LATEST) return date;
    this.refuse(present, `must be a date, YYYY-MM-DD, from ${EARLIEST} to ${LATEST}`);
    return null;
  }

  isPresent(name: string): boolean {
    return this.#query[name] !== undefined;
  }

  text(name: string): string | null {
    return this.#text(name) ?? null;
  }

  /** The place of `cursor`, or null if it is missing or refused because it is not a cursor of this list. */
  cursor<Place>({ read }: CursorFormat<Place>, expected = '`next` of a page of this route'): Place | null {
    const cursor = this.#text('cursor');
    if (cursor === undefined) return null;
    const place = read(cursor);
    if (place === null) this.refuse('cursor', `must be ${expected}`);
    return place;
  }

  /**
   * A required list of at most `longest` values, none of them empty. @param url that of the request, see {@link
   * listedValues}
   */
  list(name: string, longest: number, url: string): readonly string[] {
    this.#known.add(name);
    const values = listedValues(url, name);
    if (values.length === 0) this.refuse(name, 'is required');
    else if (values.includes('')) this.refuse(name, 'must not be empty, nor hold an empty value between commas');
    if (values.length > longest) this.refuse(name, `must have at most ${longest} values`);
    return values;
  }

  #text(name: string): string | undefined {
    this.#known.add(name);
    const value = this.#query[name];
    if (typeof value !== 'object') return value;
    this.refuse(name, 'must be given once');
    return undefined;
  }
}

/** Checks the query of a read without parameters. @throws ProblemError 422 */
export function checkQuery(query: Query): void {
  new QueryParameters(query).check();
}
