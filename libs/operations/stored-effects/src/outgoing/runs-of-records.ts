import type { ConfigurationHistory, RecordedEvent, RunEvent, SqlReader } from '@laurel/kernel';
import { runHolding, runKeyOf } from '@laurel/contributions';
import { rankingsAt } from '@laurel/leaderboards';
import type { RunStanding } from '@laurel/outgoing';
import { knownUsers, type CausedDependencies } from './caused-effects.ts';

/** The runs that events began or ended, at that time. Empty if the version of the event has no such board. */
export async function runsOfRecords(
  { sqlOf, configurations, ...parts }: Pick<CausedDependencies, 'sqlOf' | 'directory' | 'users' | 'configurations'>,
  account: string,
  records: readonly RecordedEvent<RunEvent>[],
  most: number,
): Promise<readonly RunStanding[]> {
  const sql = sqlOf('leaderboards');
  const history = configurations(account);
  const runs = await Promise.all(records.map((record) => runOf(sql, history, record, most)));
  const known = await knownUsers(
    parts,
    account,
    runs.flatMap(({ top }) => top.map(({ subject }) => subject)),
  );
  return runs.map(({ end, top }) => ({
    end,
    top: top.map((one) => ({ ...one, user: known.get(one.subject) ?? null })),
  }));
}

async function runOf(
  sql: SqlReader,
  history: ConfigurationHistory,
  { account, configurationVersion, position, fact: { board, run: start } }: RecordedEvent<RunEvent>,
  most: number,
) {
  const definition = history.at(configurationVersion).leaderboardByKey.get(board);
  const run = definition === undefined ? null : runHolding(definition, start);
  if (definition === undefined || run === null) return { end: null, top: [] };
  const key = runKeyOf({ account, names: history.current.names }, board, { start });
  return { end: run.end, top: await rankingsAt(sql, key, position, Math.min(most, definition.maxParticipants)) };
}
