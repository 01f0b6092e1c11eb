import type { Instant } from '@laurel/calendar';
import { tablesOf, type ConfigurationHistory, type ErasedFrom, type SqlReader, type Subject } from '@laurel/kernel';
import { OUTCOMES_TOPIC } from '@laurel/ports';
import type { ErasurePlace } from '@laurel/schemas';
import { RANK_HISTORY, RUN_TOPS, type LeaderboardQueries } from '@laurel/leaderboards';
import { concerns, PERSONAL_OUTGOING_TABLES } from '@laurel/outgoing';
import { tableExists } from '@laurel/database';
import { USER_AREAS } from '@laurel/all-areas';

export interface PlacesDependencies {
  readonly sql: SqlReader;
  readonly leaderboards: Pick<LeaderboardQueries, 'standingsOfUser' | 'run' | 'isFinal'>;
  readonly configuration: (account: string) => ConfigurationHistory;
}

interface Asked {
  readonly account: string;
  readonly subject: Subject;
  readonly boards: ErasedFrom;
  readonly at: Instant;
}

/** Counters that an erasure reduces by one: of users, of completions, of users with points. */
const COUNTERS = ['user_counts', 'achievement_counts', 'point_total_counts'];

/**
 * Every table that holds rows of a user, and the topic of outcomes: how many rows, and what an erasure does to them. Finds rows by the
 * subject, so it reads as much as the user has.
 */
export async function placesOfUser(dependencies: PlacesDependencies, asked: Asked): Promise<readonly ErasurePlace[]> {
  const { sql } = dependencies;
  const { account, subject } = asked;
  const places: ErasurePlace[] = [
    { place: 'subjects', rows: 1, becomes: 'deleted' },
    ...(await eventsOf(dependencies, subject)),
    { place: 'user_states', rows: 1, becomes: 'cleared' },
  ];
  for (const table of TABLES_BY_SUBJECT)
    places.push({
      place: table,
      rows: await countRows(sql, `${table} where subject = $1`, [subject]),
      becomes: 'anonymous',
    });
  for (const { name, concerns: concernsUser } of PERSONAL_OUTGOING_TABLES) {
    if (!(await tableExists(sql, name))) continue;
    const rows = await countRows(sql, `${name} t where ${concernsUser('array[$1::bigint]')}`, [subject]);
    places.push({ place: name, rows, becomes: 'deleted' });
  }
  if (await tableExists(sql, 'published_outcomes'))
    places.push({
      place: OUTCOMES_TOPIC,
      rows: await countRows(sql, PUBLISHED_OUTCOMES, [subject]),
      becomes: 'compacted_away',
    });
  if (await tableExists(sql, 'webhook_deliveries')) {
    const [sent] = await sql.query<{ held: string; others: string }>(OF_WEBHOOKS, [account, String(subject)]);
    places.push(
      { place: 'webhook_deliveries', rows: Number(sent?.held ?? 0), becomes: 'deleted' },
      { place: 'webhook_deliveries', rows: Number(sent?.others ?? 0), becomes: 'anonymous' },
    );
  }
  if (await tableExists(sql, 'user_search')) {
    const rows = await countRows(sql, 'user_search where account = $1 and subject = $2', [account, subject]);
    places.push({ place: 'user_search', rows, becomes: 'deleted' });
  }
  const { running, counted: participating, final } = await standings(dependencies, asked);
  places.push(
    { place: 'board_standings', rows: running, becomes: asked.boards === 'remove' ? 'off_the_board' : 'anonymous' },
    { place: 'board_standings', rows: final, becomes: 'anonymous' },
    { place: 'board_run_counts', rows: asked.boards === 'remove' ? participating : 0, becomes: 'counted_down' },
  );
  for (const [place, rows] of await counted(sql, account, subject))
    places.push({ place, rows, becomes: 'counted_down' });
  return places.filter(({ rows }) => rows > 0);
}

async function countRows(sql: SqlReader, from: string, parameters: readonly unknown[]): Promise<number> {
  const [counted] = await sql.query<{ rows: string }>(`select count(*) as rows from ${from}`, parameters);
  return Number(counted?.rows ?? 0);
}

const PUBLISHED_OUTCOMES = `outcomes t join published_outcomes p using (account)
  where t.sequence <= p.sequence and ${concerns('array[$1::bigint]')}
    and t.sequence >= (select min(h.sequence) from published_hours h where h.account = t.account)`;

/** Rows of the log, and of its copy in Postgres if the log is in EventStoreDB. */
async function eventsOf({ sql }: PlacesDependencies, subject: Subject): Promise<readonly ErasurePlace[]> {
  const inLog = await rowsOfLog(sql, 'events', subject);
  return (await tableExists(sql, 'copied_events'))
    ? [...inLog, ...(await rowsOfLog(sql, 'copied_events', subject))]
    : inLog;
}

async function rowsOfLog(sql: SqlReader, table: string, subject: Subject): Promise<readonly ErasurePlace[]> {
  const [log] = await sql.query<{ events: string; sealed: string; hashed: string }>(ofLog(table), [subject]);
  const sealed = Number(log?.sealed ?? 0);
  return [
    { place: table, rows: sealed, becomes: 'unreadable' },
    { place: table, rows: Number(log?.hashed ?? 0), becomes: 'hashed' },
    { place: table, rows: Number(log?.events ?? 0) - sealed, becomes: 'anonymous' },
  ];
}

/** Deferred deliveries that belong to the user, and all other deliveries that concern or name the user. */
const OF_WEBHOOKS = `
  select count(*) filter (where held) as held, count(*) filter (where not held) as others
  from (
    select state = 'waiting' and next_at is not null as held from webhook_deliveries where account = $1 and user_key = $2
    union all
    select false from webhook_deliveries where account = $1 and others @> array[$2::text]
  ) d`;

/**
 * The user's own events, without sweeps, which name many users. Positions that lie close together are read as one range of the log: a probe
 * for each event would cost three buffers an event.
 */
const ofLog = (table: string): string => `
  with own as (select position, position - lag(position) over (order by position) <= 64 as is_close from effects where subject = $1),
  ranges as (
    select min(position) as first, max(position) as last
    from (select position, count(*) filter (where is_close is not true) over (order by position) as range from own) o group by range
  )
  select count(*) as events, count(v.personal) as sealed,
         count(*) filter (where v.data ? 'userHashes' or v.data ? 'eventHashes') as hashed
  from ranges r join ${table} v on v.position between r.first and r.last and v.subject = $1`;

/** Tables in which each row belongs to one user, except for standings, which depend on their runs. */
const TABLES_BY_SUBJECT: readonly string[] = [
  RANK_HISTORY,
  RUN_TOPS,
  ...tablesOf(USER_AREAS).flatMap(({ name, counter }) => (counter === undefined ? [name] : [])),
].sort();

/**
 * The user's standings. A board that is no longer configured has no running runs; `counted` are the running ones with a
 * value above 0.
 */
async function standings({ leaderboards, configuration }: PlacesDependencies, { account, subject, at }: Asked) {
  const { leaderboardByKey } = configuration(account).current;
  const counts = { running: 0, counted: 0, final: 0 };
  for await (const page of leaderboards.standingsOfUser(account, subject))
    for (const { board, runStart, value } of page) {
      const run = leaderboardByKey.has(board) ? leaderboards.run(account, board, at, runStart) : null;
      const isRunning = run !== null && !leaderboards.isFinal(run, at);
      counts[isRunning ? 'running' : 'final']++;
      if (isRunning && value > 0) counts.counted++;
    }
  return counts;
}

async function counted(
  sql: SqlReader,
  account: string,
  subject: Subject,
): Promise<readonly (readonly [string, number])[]> {
  const [row] = await sql.query<{ completions: string; totals: string }>(
    `select jsonb_array_length(coalesce(achievements -> 'completed', achievements, '[]')) as completions,
       (select count(*) from jsonb_array_elements(coalesce(points -> 'systems', '[]')) s where s ->> 1 <> '0') as totals
     from user_states where account = $1 and subject = $2`,
    [account, subject],
  );
  const rows = [1, Number(row?.completions ?? 0), Number(row?.totals ?? 0)];
  return COUNTERS.map((name, index) => [name, rows[index] as number]);
}
