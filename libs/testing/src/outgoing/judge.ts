import type { CorrectedEventAnswer } from '@laurel/schemas';
import type { RankedUser } from './recounted-boards.ts';

/** A request as the receiver saw it. */
export interface Arrival {
  readonly path: string;
  /** The header `webhook-id`. */
  readonly id: string;
  /** Whether `standardwebhooks` accepts the signature. */
  readonly signed: boolean;
  /** The receiver's reaction; `ok` means an answer with 204. */
  readonly answer: string;
  readonly body: string;
}

/** The expected deliveries of an endpoint. */
export interface Expected {
  readonly strict: boolean;
  /** Outcomes by user, in order, in the words of {@link inWords}. Those without a user are under the empty text. */
  readonly outcomes: ReadonlyMap<string, readonly string[]>;
  /** Users whose outcomes may be missing: those not sent before the erasure are never sent. Default: none. */
  readonly erased?: ReadonlySet<string>;
}

/** An endpoint as it was created. */
export interface RequestedEndpoint {
  readonly path: string;
  /** null for all types. */
  readonly types: readonly string[] | null;
  readonly ordering: 'user' | 'strict';
}

/** The outcomes that each endpoint should receive, by its path. @param erased users */
export function expectedAt(
  endpoints: readonly RequestedEndpoint[],
  all: ReadonlyMap<string, readonly string[]>,
  erased: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, Expected> {
  return new Map(
    endpoints.map(({ path, types, ordering }) => {
      const isAsked = (words: string) => types?.includes(words.split(' ')[0] ?? '') ?? true;
      const outcomes = new Map([...all].map(([user, own]) => [user, own.filter(isAsked)]));
      return [path, { strict: ordering === 'strict', outcomes, erased }];
    }),
  );
}

// A receiver reads bodies by their fields, without our types.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any;

/** An outcome without the ids and sequences of its log. */
export function inWords(body: Body): string {
  const { type } = body;
  switch (type) {
    case 'achievement.completed':
    case 'emails.achievement_due':
      return `${type} ${body.achievement.key} ${body.timestamp}`;
    case 'streak.started':
    case 'streak.extended':
      return `${type} ${body.streak.periodStart} ${body.streak.length}`;
    case 'streak.at_risk':
    case 'emails.streak_reminder_due':
      return `${type} ${body.streak.periodStart} ${body.streak.length} ${body.expiresAt} ${missingInWords(body.missing)}`;
    case 'emails.recap_due': {
      const { periodStart, periodEnd, totals } = body.recap;
      return `${type} ${periodStart} ${periodEnd} ${totalsInWords(totals)}`;
    }
    case 'emails.reactivation_due': {
      const { messageNumber, daysSinceLastActive } = body.reactivation;
      return `${type} ${messageNumber} ${daysSinceLastActive} ${body.timestamp}`;
    }
    case 'streak.lost':
      return `${type} ${body.length} ${body.endedAt}`;
    case 'streak.freeze_consumed':
      return `${type} ${body.consumed}`;
    case 'streak.freeze_earned':
      return `${type} ${body.earned} ${body.freezes}`;
    case 'points.changed':
      return `${type} ${body.points.key} ${body.points.added} ${body.points.total}`;
    case 'points.level_changed':
      return `${type} ${body.points.key} ${body.previousLevel?.key ?? '-'} ${body.newLevel?.key ?? '-'}`;
    case 'leaderboard.rank_changed': {
      const { leaderboard, previousRank, previousValue } = body;
      return `${type} ${leaderboard.key} ${previousRank} ${previousValue} ${leaderboard.rank} ${leaderboard.value}`;
    }
    case 'leaderboard.started':
    case 'leaderboard.finished': {
      const { key, runStart, rankings } = body.leaderboard;
      return `${type} ${key} ${runStart} ${body.timestamp} ${rankingsInWords(rankings.map(rankedIn))}`;
    }
    case 'leaderboard.rank_lost':
      return `${type} ${body.leaderboard.key} ${body.previousRank} ${body.rank} by ${body.by}`;
    case 'leaderboard.changed': {
      const { key, runStart, runEnd, rankings } = body.leaderboard;
      return `${type} ${key} ${runEnd === null ? '' : runStart} ${rankingsInWords(rankings.map(rankedIn))}`;
    }
    case 'user.corrected':
      return `${type} ${correctedInWords(body.corrections.map(correctedIn))}`;
    case 'user.created':
      return `${type} ${body.timestamp}`;
    case 'configuration.published':
      return `${type} ${body.version}`;
    default:
      return String(type);
  }
}

export const missingInWords = (missing: readonly { readonly metric: string; readonly missing: number }[]): string =>
  missing.map(({ metric, missing: amount }) => `${metric}: ${amount}`).join(', ');

/** Totals by metric. */
export const totalsInWords = (totals: Readonly<Record<string, number>>): string =>
  Object.entries(totals)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([metric, total]) => `${metric}: ${total}`)
    .join(', ');

export const rankingsInWords = (ranked: readonly RankedUser[]): string =>
  ranked.map(({ user, value }) => `${user}: ${value}`).join(', ');

const rankedIn = ({ userId: user, value }: Body): RankedUser => ({ user, value });

export const correctedInWords = (corrections: readonly CorrectedEventAnswer[]): string =>
  corrections.map(({ eventId, retract, value }) => `${eventId}: ${retract ? 'retracted' : value}`).join(', ');

const correctedIn = ({ eventId, retracted, value }: Body): CorrectedEventAnswer => ({
  ...{ eventId, value },
  ...(retracted && { retract: true }),
});

/**
 * The errors in the received deliveries, as sentences. There are none if each expected outcome arrived at least once,
 * no other outcome arrived, those of a user in order, with identical bytes each time, and signed.
 */
export function faultsIn(arrivals: readonly Arrival[], expected: ReadonlyMap<string, Expected>): readonly string[] {
  const faults: string[] = [];
  const bytes = new Map<string, string>();
  for (const { path, id, signed, body } of arrivals) {
    if (!expected.has(path)) faults.push(`${id} came to ${path}, where nothing is expected`);
    if (!signed) faults.push(`${id} came to ${path} without a signature that holds`);
    if (body !== (bytes.get(id) ?? body)) faults.push(`${id} came with other bytes than before`);
    bytes.set(id, body);
  }
  for (const [path, wanted] of expected) {
    const own = arrivals.filter((arrival) => arrival.path === path);
    faults.push(...outOfOrder(own, wanted.strict), ...differences(path, own, wanted));
  }
  return faults;
}

const userOf = (body: Body): string => body.user?.id ?? '';

/**
 * One sentence for each attempt that arrived after one of a later outcome in the same queue. A queue belongs to a user,
 * or to the whole endpoint if it is strict.
 */
export function outOfOrder(arrivals: readonly Arrival[], strict: boolean): readonly string[] {
  const last = new Map<string, number>();
  return arrivals.flatMap(({ path, body: text }) => {
    const body = JSON.parse(text) as Body;
    const queue = strict ? '' : userOf(body);
    const before = last.get(queue) ?? 0;
    last.set(queue, body.sequence);
    return body.sequence < before
      ? [`${path}: ${body.type} (${body.sequence}) of '${queue}' came behind ${before}`]
      : [];
  });
}

function differences(
  path: string,
  arrivals: readonly Arrival[],
  { outcomes: expected, erased }: Expected,
): readonly string[] {
  const arrived = inOrder(arrivals);
  const accepted = inOrder(arrivals.filter(({ answer }) => answer === 'ok'));
  return [...new Set([...expected.keys(), ...arrived.keys()])].flatMap((user) => {
    const wanted = expected.get(user) ?? [];
    if (erased?.has(user)) return notAmong(`${path}: of '${user}' arrived`, arrived.get(user) ?? [], wanted);
    return [
      ...firstDifference(`${path}: of '${user}' arrived`, arrived.get(user) ?? [], wanted),
      ...firstDifference(`${path}: of '${user}' was accepted`, accepted.get(user) ?? [], wanted),
    ];
  });
}

/** Each outcome once, by user, in the order of their sequences. */
function inOrder(arrivals: readonly Arrival[]): ReadonlyMap<string, readonly string[]> {
  const byId = new Map(arrivals.map(({ id, body }) => [id, JSON.parse(body) as Body]));
  const users = new Map<string, string[]>();
  for (const body of [...byId.values()].sort((one, other) => one.sequence - other.sequence)) {
    const words = users.get(userOf(body)) ?? [];
    users.set(userOf(body), words);
    words.push(inWords(body));
  }
  return users;
}

function firstDifference(what: string, got: readonly string[], wanted: readonly string[]): readonly string[] {
  const length = Math.max(got.length, wanted.length);
  const index = Array.from({ length }).findIndex((_, place) => got[place] !== wanted[place]);
  if (index < 0) return [];
  return [`${what} '${got[index] ?? 'nothing'}' as outcome ${index + 1}, expected '${wanted[index] ?? 'nothing'}'`];
}

/** The first outcome that does not follow the earlier ones in the expected order. */
function notAmong(what: string, got: readonly string[], wanted: readonly string[]): readonly string[] {
  let behind = 0;
  for (const [index, words] of got.entries()) {
    const place = wanted.indexOf(words, behind);
    if (place < 0) return [`${what} '${words}' as outcome ${index + 1}, which is not expected there`];
    behind = place + 1;
  }
  return [];
}
