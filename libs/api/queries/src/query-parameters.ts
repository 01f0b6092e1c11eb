import { type LocalDate, parseDate } from '@laurel/calendar';
import {
  flagOf,
  invalidRequest,
  mistakenParameters,
  mustBeOneOf,
  ProblemError,
  type ProblemItem,
} from '@laurel/schemas';
import { listedValues } from './listed-values.ts';

/** Dates around which every period, and every run of a board, can still be written. */
const EARLIEST: LocalDate = '0001-02-01';
const LATEST: LocalDate = '9999-11-30';

/** The query as the router parsed it: a repeated parameter is an array. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Reads query parameters and collects what is wrong with them, so that every problem is listed. What a method returns for a
 * wrong parameter is a stand-in: {@link check} must be called before it is used. A route knows the parameters that it has read
 * by then. Others are ignored, but not those that are close to one of these, nor `userAttributes` (specification, section 2.4).
 */
export class QueryParameters {
  readonly #query: Query;
  readonly #problems: ProblemItem[] = [];
  readonly #known = new Set<string>();

  constructor(query: Query) {
    this.#query = query;
    // Ignored, it would return the numbers of all users to a caller who asked for those of some.
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

  /** Absent means false. Clients in Python write `True`, others 1. */
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

  /** A date, null if it is absent or (then refused) none. `otherName` is taken if `name` is absent. */
  date(name: string, otherName: string = name): LocalDate | null {
    this.#known.add(name).add(otherName);
    const present = this.#query[name] === undefined ? otherName : name;
    const text = this.#text(present);
    const date = text === undefined ? null : parseDate(text);
    if (text === undefined) return null;
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

  /** A required list of at most `longest` values, none of which is empty. @param url of the request: {@link listedValues} */
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
    if (!Array.isArray(value)) return value;
    this.refuse(name, 'must be given once');
    return undefined;
  }
}

/** Checks the query of a read that takes no parameters. @throws ProblemError 422 */
export function checkQuery(query: Query): void {
  new QueryParameters(query).check();
}
