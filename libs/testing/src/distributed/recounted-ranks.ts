import { storedNames } from '@laurel/all-areas';
import { TOPICS } from '@laurel/ports';
import { clientConfig } from '@laurel/database';
import { decodeContributions } from '@laurel/engine';
import pg from 'pg';
import type { Json } from '../http-suite/client.ts';
import { topicMessages } from './topic-texts.ts';
import type { Topology } from './topology.ts';

export interface RankedBoard {
  /** A board that ranks by the sum of a metric. */
  readonly key: string;
  readonly metric: string;
  /** Whether each day is a separate run; otherwise there is one run over all time. */
  readonly daily: boolean;
  /** The `announceTop` of the configuration. */
  readonly announceTop: number;
  /** Users whose events make no outcomes, because they were imported without. Default: none. */
  readonly silent?: ReadonlySet<string>;
}

/**
 * The expected outcomes about ranks on a board, in the words of {@link rankWords}, sorted. Computed from the values in
 * the topology's log by sorting all users anew at each event. Only the order in which the owner of the boards applied
 * events of different users is read from its input, because no log records it.
 */
export async function recountedRanks(topology: Topology, board: RankedBoard): Promise<readonly string[]> {
  const { key, announceTop, silent } = board;
  const runs = new Map<string, Map<string, Place>>();
  const words: string[] = [];
  for (const { user, value, at, position, date } of await movesOn(topology, board)) {
    const run = board.daily ? `${key} ${date}` : key;
    const places = runs.get(run) ?? new Map<string, Place>();
    runs.set(run, places);
    const before = inOrder(places);
    const previous = places.get(user);
    places.set(user, { user, value: (previous?.value ?? 0) + value, at, position });
    const after = inOrder(places);
    const rank = after.indexOf(user) + 1;
    const previousRank = before.indexOf(user) + 1 || null;
    if (rank === previousRank || silent?.has(user)) continue;
    const now = places.get(user)?.value as number;
    words.push(`leaderboard.rank_changed ${run} ${user} ${previousRank} ${previous?.value ?? null} ${rank} ${now}`);
    for (const [index, other] of before.slice(0, announceTop).entries())
      if (other !== user && after.indexOf(other) > index)
        words.push(`leaderboard.rank_lost ${run} ${other} ${index + 1} ${after.indexOf(other) + 1} by ${user}`);
    if (Math.min(rank, previousRank ?? Infinity) > announceTop) continue;
    const top = after.slice(0, announceTop).map((other) => `${other} ${places.get(other)?.value}`);
    words.push(`leaderboard.changed ${run} ${top.join()}`);
  }
  return words.sort();
}

/** The words of an outcome about ranks on a board, or null for any other outcome. */
export function rankWords(text: string, { key, daily }: Pick<RankedBoard, 'key' | 'daily'>): string | null {
  const { type, user, leaderboard, previousRank, previousValue, rank, by } = JSON.parse(text) as Json;
  if (leaderboard?.key !== key) return null;
  const run = daily ? `${key} ${leaderboard.runStart}` : key;
  switch (type) {
    case 'leaderboard.rank_changed':
      return `${type} ${run} ${user.id} ${previousRank} ${previousValue} ${leaderboard.rank} ${leaderboard.value}`;
    case 'leaderboard.rank_lost':
      return `${type} ${run} ${user.id} ${previousRank} ${rank} by ${by}`;
    case 'leaderboard.changed':
      return `${type} ${run} ${leaderboard.rankings.map((one: Json) => `${one.userId} ${one.value}`).join()}`;
    default:
      return null;
  }
}

interface Place {
  readonly user: string;
  readonly value: number;
  /** When the value was reached, according to the log. */
  readonly at: number;
  readonly position: number;
}

interface Move extends Place {
  /** The date on the user's clock, according to the log. */
  readonly date: string;
}

const inOrder = (places: ReadonlyMap<string, Place>): readonly string[] =>
  [...places.values()]
    .sort((one, other) => other.value - one.value || one.at - other.at || one.position - other.position)
    .map(({ user }) => user);

/** Each event of the metric in the log, in the order in which the owner of the boards applied the contributions. */
async function movesOn(topology: Topology, { key, metric }: RankedBoard): Promise<readonly Move[]> {
  const { connection } = topology.postgres;
  const { boards } = await storedNames({ ...connection, schema: 'laurel_ingestion' }, 'default');
  const order = await contributedTo(topology, boards.numberOf(key));
  const sql = new pg.Client(clientConfig(connection));
  await sql.connect();
  try {
    const { rows } = await sql.query<Move>(
      `select s.user_id as user, e.value::float8 as value, extract(epoch from e.occurred_at)::float8 as at,
         e.position::float8 as position,
         (e.occurred_at at time zone coalesce(
           (select z.zone from laurel_ingestion.events z
            where z.account = e.account and z.subject = e.subject and z.position <= e.position and z.zone is not null
            order by z.position desc limit 1), 'UTC'))::date::text as date
       from laurel_ingestion.events e
       join laurel_ingestion.subjects s using (account, subject)
       where e.account = 'default' and e.metric = $1`,
      [metric],
    );
    const placeOf = ({ position }: Move): number => order.get(position) ?? order.size;
    return rows.sort((one, other) => placeOf(one) - placeOf(other));
  } finally {
    await sql.end();
  }
}

/**
 * The index of each position among the contributions to a board. A contribution that was sent again counts where it
 * first arrived.
 */
async function contributedTo(topology: Topology, board: number): Promise<ReadonlyMap<number, number>> {
  const places = new Map<number, number>();
  for (const { value } of await topicMessages(topology, [TOPICS.points])) {
    if (!value?.startsWith('[')) continue;
    const { position, changes } = decodeContributions(value);
    if (!places.has(position) && changes.some((change) => change.board === board)) places.set(position, places.size);
  }
  return places;
}
