import { ExactNumber, jsonInteger, readJson, writeJson, type JsonNumber } from '@laurel/schemas';
import type { Outcome } from '@laurel/outgoing';

/** Types that an endpoint receives at most once per `minimumInterval`, for each user and subject. */
export const COALESCED_TYPES: readonly string[] = ['points.changed', 'leaderboard.rank_changed', 'leaderboard.changed'];

/** Most awards in a coalesced `points.changed`, the newest ones. */
export const MOST_AWARDS = 20;

interface Body {
  readonly points: { readonly key: string; readonly added: JsonNumber; readonly awards: readonly unknown[] };
  readonly leaderboard: { readonly key: string; readonly runStart: string };
  readonly previousRank: number | null;
  readonly previousValue: JsonNumber | null;
}

/** The lane of the request that an outcome joins, named after its subject; null if the outcome is sent alone. */
export function coalescedAs({ type, userKey, body }: Pick<Outcome, 'type' | 'userKey' | 'body'>): string | null {
  if (!COALESCED_TYPES.includes(type)) return null;
  const { points, leaderboard } = JSON.parse(body) as Body;
  const subject = type === 'points.changed' ? points.key : `${leaderboard.key} ${leaderboard.runStart}`;
  return `held ${type} ${userKey ?? ''} ${subject}`;
}

/** One body for two: the values before the first and after the last, with the id and sequence of the last. */
export function coalesced(type: string, first: string, last: string): string {
  const before = readJson(first) as Body;
  const after = readJson(last) as Body;
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
