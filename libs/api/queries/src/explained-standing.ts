import type { BoardRun, ConfigurationHistory, LeaderboardDefinition } from '@laurel/kernel';
import type { ExplainReads } from '@laurel/ports';
import type { KnownUser } from '@laurel/schemas';
import type { Standing } from './answers/explained-standing-answer.ts';
import { changeCursor } from './cursors.ts';
import type { QueryPorts } from './ports.ts';
import { uncounted } from './uncounted.ts';

interface ExplainedRun {
  readonly user: KnownUser;
  readonly board: LeaderboardDefinition;
  readonly run: BoardRun;
  readonly page: Parameters<ExplainReads['changes']>[3];
}

/** A user's standing in a run, with a page of the changes that led to it. */
export async function standingIn(
  { directory, leaderboards }: Pick<QueryPorts, 'directory' | 'leaderboards'>,
  explain: ExplainReads,
  history: ConfigurationHistory,
  { user, board, run, page }: ExplainedRun,
): Promise<Standing> {
  const { account } = history;
  const { key, maxParticipants } = board;
  const [{ rank, value }, { entries, next }, last] = await Promise.all([
    leaderboards.standing(account, key, run, user.subject),
    explain.changes({ account, subject: user.subject }, key, run, page),
    leaderboards.rankings(account, key, run, { offset: maxParticipants - 1, limit: 1 }),
  ]);
  const near =
    rank === null ? [] : await leaderboards.rankings(account, key, run, { offset: Math.max(0, rank - 2), limit: 3 });
  const places = [...near, ...last];
  const subjects = places.map(({ subject }) => subject);
  return {
    run,
    status: null,
    uncounted: value === null ? await uncounted(explain, history, { user, board, run }) : null,
    rank,
    value,
    changes: entries,
    places,
    ids: await directory.idsOf(account, subjects),
    next: next === null ? null : changeCursor(run).write(next),
  };
}
