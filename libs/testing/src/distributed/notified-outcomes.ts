import { Client, type Json } from '../http-suite/client.ts';
import type { Topology } from './topology.ts';

/** All outcomes in order, in chunks. */
export async function notifiedOutcomes({ url, apiKey }: Topology): Promise<readonly string[]> {
  const client = new Client(() => ({ baseUrl: url, apiKey }));
  const bodies: string[] = [];
  for (let cursor = '0', more = true; more;) {
    const { status, text, headers } = await client.send('GET', `/admin/v1/outcomes?limit=1000&after=${cursor}`);
    if (status !== 200) throw new Error(text);
    const lines = text.split('\n').filter((line) => line !== '');
    bodies.push(...lines);
    more = lines.length === 1_000;
    cursor = headers.get('laurel-cursor') ?? cursor;
  }
  return bodies;
}

/** The id of the first outcome in a text. */
export const outcomeIdIn = (text: string): string => /"id":"([\da-f-]{36})","type"/.exec(text)?.[1] ?? text;

/** The parts of outcomes that two topologies with the same log must have in common. */
export interface ComparableOutcomes {
  readonly one: readonly Json[];
  readonly other: readonly Json[];
  /** Number of outcomes that have all fields of `user`. */
  readonly withUser: number;
  /** Number of recaps that have their `points`. */
  readonly withPoints: number;
}

/**
 * Reduces outcomes to what can be compared. `sequence` counts the outcomes of one topology. `user`, and the fields of a
 * recap besides the week, show the state at the time of reading: for users changed since the outcome, only the id can
 * be compared, and in recaps only unchanged fields.
 */
export function comparableOutcomes(one: readonly string[], other: readonly string[]): ComparableOutcomes {
  const [parsed, others] = [one, other].map((bodies) => bodies.map((body) => JSON.parse(body) as Json)) as [
    Json[],
    Json[],
  ];
  const changed = new Map<string, string>();
  for (const { user } of [...parsed, ...others])
    if (user !== undefined && user.updated > (changed.get(user.id) ?? '')) changed.set(user.id, user.updated);
  const isSettled = ({ user, timestamp }: Json): boolean => {
    const last = user === undefined ? undefined : changed.get(user.id);
    return last !== undefined && (timestamp > last || last === user.created);
  };
  const isStanding = (recap: Json, types: string): boolean =>
    [parsed, others].every((bodies) => {
      const place = bodies.findIndex(({ id }) => id === recap.id);
      return !bodies.slice(place).some(({ user, type }) => user?.id === recap.user.id && type.startsWith(types));
    });
  const recapOf = (outcome: Json): Json => {
    const { points, streakLength, ...week } = outcome.recap;
    const isStreak = isStanding(outcome, 'streak.');
    return { ...week, ...(isStanding(outcome, 'points.') && { points }), ...(isStreak && { streakLength }) };
  };
  const comparable = (outcome: Json): Json => {
    const { sequence: _, user, recap, ...rest } = outcome;
    return { ...rest, user: isSettled(outcome) ? user : user?.id, ...(recap && { recap: recapOf(outcome) }) };
  };
  const compared = parsed.map(comparable);
  return {
    one: compared,
    other: others.map(comparable),
    withUser: parsed.filter(isSettled).length,
    withPoints: compared.filter(({ recap }) => recap?.points !== undefined).length,
  };
}
