import { parseDate, parseInstant, type Instant, type LocalDate } from '@laurel/calendar';
import { ProblemError, invalidRequest, mistakenParameters, type ProblemItem } from '@laurel/schemas';
import type { Query } from '@laurel/runtime';
import type { ExportRange, WinnersQuery } from '../ports.ts';

export type Format = 'ndjson' | 'csv';

const MOST_WINNERS = 1_000;
const DEFAULT_WINNERS = 10;

/** @throws ProblemError 422 that lists every wrong parameter */
export function readRange(query: Query): ExportRange & { readonly format: Format } {
  const errors = mistakenParameters(['from', 'to', 'format'], query);
  const from = instantIn(query, 'from', errors);
  const to = instantIn(query, 'to', errors);
  if (from !== null && to !== null && from > to) errors.push({ path: 'to', message: 'must not lie before from' });
  const format = formatIn(query, errors);
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { from, to, format };
}

/** @throws ProblemError 422 that lists every wrong parameter */
export function readWinners(query: Query): WinnersQuery & { readonly format: Format } {
  const errors = mistakenParameters(['leaderboard', 'run', 'limit', 'format'], query);
  const { leaderboard, limit = String(DEFAULT_WINNERS) } = query;
  if (typeof leaderboard !== 'string' || leaderboard === '')
    errors.push({
      path: 'leaderboard',
      message: leaderboard === undefined ? 'is required' : 'must be a key, given once',
    });
  const run = dateIn(query, errors);
  const most = typeof limit === 'string' && /^\d{1,4}$/.test(limit) ? Number(limit) : NaN;
  if (!(most >= 1 && most <= MOST_WINNERS))
    errors.push({ path: 'limit', message: `must be an integer from 1 to ${MOST_WINNERS}` });
  const format = formatIn(query, errors);
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { leaderboard: String(leaderboard), run, limit: most, format };
}

function instantIn(query: Query, path: string, errors: ProblemItem[]): Instant | null {
  const text = query[path];
  if (text === undefined) return null;
  const at = typeof text === 'string' ? parseInstant(parseDate(text) === null ? text : `${text}T00:00:00Z`) : null;
  if (at === null)
    errors.push({ path, message: 'must be a date in UTC, YYYY-MM-DD, or an instant like 2026-01-31T12:00:00Z' });
  return at;
}

function dateIn({ run }: Query, errors: ProblemItem[]): LocalDate | null {
  if (run === undefined) return null;
  const date = typeof run === 'string' ? parseDate(run) : null;
  if (date === null) errors.push({ path: 'run', message: 'must be a date, YYYY-MM-DD' });
  return date;
}

function formatIn({ format = 'ndjson' }: Query, errors: ProblemItem[]): Format {
  if (format === 'ndjson' || format === 'csv') return format;
  errors.push({ path: 'format', message: 'must be ndjson or csv' });
  return 'ndjson';
}
