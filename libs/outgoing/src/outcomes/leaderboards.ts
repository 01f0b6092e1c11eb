import { formatDay } from '@laurel/calendar';
import { effectsOfType, groupBy, jsonAmount, leaderboardFields, type RankChanged } from '@laurel/contracts';
import { isOfNow, type HappeningsOf } from './occurrence.ts';

/** From the rank before the event to that after it, whatever lay between. */
export const rankChanged: HappeningsOf = (occurrence) => {
  const changes = effectsOfType(occurrence.effects, 'RankChanged').filter((change) => isOfNow(occurrence, change));
  return [...groupBy(changes, runOf)].flatMap(([subject, moved]) => {
    const [first, last] = [moved[0] as RankChanged, moved.at(-1) as RankChanged];
    const board = occurrence.configuration.leaderboardByKey.get(last.board);
    if (board === undefined || first.previousRank === last.rank) return [];
    const leaderboard = {
      ...leaderboardFields(board),
      runStart: formatDay(last.run),
      runEnd: occurrence.runEndOf(last),
      rank: last.rank,
      value: jsonAmount(BigInt(last.value)),
    };
    const previousValue = first.previousValue === null ? null : jsonAmount(BigInt(first.previousValue));
    const fields = { leaderboard, previousRank: first.previousRank, previousValue };
    return [{ type: 'leaderboard.rank_changed', subject, at: last.at, fields }];
  });
};

const runOf = ({ board, run }: RankChanged): string => `${board} ${formatDay(run)}`;
