import { ExactNumber, jsonInteger, readJson, writeJson, type JsonNumber } from '@laurel/schemas';
import type { Outcome } from '@laurel/outgoing';

/** Of these an endpoint is told at most once in its `minimumInterval`, for each user and subject. */
export const COALESCED_TYPES: readonly string[] = ['points.changed', 'leaderboard.rank_changed', 'leaderboard.changed'];

/** Of a coalesced `points.changed`: the newest. */
export const MOST_AWARDS = 20;

interface Body {
  readonly points: { readonly key: string; readonly added: JsonNumber; readonly awards: readonly unknown[] };
  readonly leaderboard: { readonly key: string; readonly runStart: string };
  readonly previousRank: number | null;
  readonly previousValue: JsonNumber | null;
}

/** Names what an outcome is about, among those of its endpoint that may become one request; null: it goes as it is. */
export function coalescedAs({ type, userKey, body }: Pick<Outcome, 'type' | 'userKey' | 'body'>): string | null {
  if (!COALESCED_TYPES.includes(type)) return null;
  const { points, leaderboard } = JSON.parse(body) as Body;
  const subject = type === 'points.changed' ? points.key : `${leaderboard.key} ${leaderboard.runStart}`;
  return `held ${type} ${userKey ?? ''} ${subject}`;
}

/** One body that stands for both: what was before the first, and what is after the last, with the id and sequence of the last. */
export function coalesced(type: string, first: string, last: string): string {
  const [before, after] = [readJson(first) as Body, readJson(last) as Body];
  switch (type) {
    case 'points.changed': {
      const added = jsonInteger(integer(before.points.added) + integer(after.points.added));
      const awards = [...before.points.awards, ...after.points.awards].slice(-MOST_AWARDS);
      return writeJson({ ...after, points: { ...before.points, ...after.points, added, awards } });
    }
    case 'leaderboard.rank_changed': {
      const { previousRank, previousValue } = before;
      return writeJson({ ...after, previousRank, previousValue });
    }
    default:
      return last;
  }
}

const integer = (value: JsonNumber): bigint => BigInt(value instanceof ExactNumber ? value.digits : value);
