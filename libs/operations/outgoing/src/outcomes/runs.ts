import type { Composer } from './composer.ts';
import { onBoard, rankingFields } from './leaderboards.ts';

/** Makes nothing if the version of the event has no such board. */
export const runChanged: Composer<'leaderboard.started' | 'leaderboard.finished'> = ({
  record: { fact, occurredAt: at },
  configuration,
  run,
}) => {
  const board = configuration.leaderboardByKey.get(fact.board);
  if (board === undefined || run === null) return [];
  const { end, top } = run;
  const leaderboard = onBoard(board, { runStart: fact.run, runEnd: end, ...rankingFields(top) });
  const others = top.flatMap(({ subject, user }) => (user === null ? [] : [subject]));
  return [{ subject: `${board.key} ${fact.run}`, at, due: at, fields: { leaderboard }, user: null, others }];
};
