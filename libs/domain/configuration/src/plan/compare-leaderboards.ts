import { isDeepStrictEqual } from 'node:util';
import type { LeaderboardDocument } from '@laurel/schemas';
import { added, changed, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { compareLists, compareOrder, keysOf, ONLY_SHOWN } from './compare-lists.ts';
import type { Past } from './past.ts';

type Boards = readonly LeaderboardDocument[];

export function compareLeaderboards(before: Boards, after: Boards, past: Past): Change[] {
  const pathOf = ({ key }: LeaderboardDocument) => `leaderboards.${key}`;
  const entries = compareLists(before, after, {
    identityOf: ({ key }) => key,
    onAdded: (board) => [added(pathOf(board), board, whenAdded(board, past))],
    onRemoved: (board) => [removed(pathOf(board), board, WHEN_REMOVED)],
    onKept: (was, is) => compareBoard(pathOf(is), was, is),
  });
  return [...entries, ...compareOrder('leaderboards', keysOf(before), keysOf(after))];
}

const WHEN_REMOVED =
  'From publication, nothing counts towards it. Laurel keeps its standings but no longer shows them. If it comes back under this key, they continue.';

/** A board counts from its publication on (specification, section 7). */
function whenAdded(board: LeaderboardDocument, past: Past): string {
  const version = past.versionWith('leaderboards', board.key);
  const begins = board.rankBy === 'streak' ? STREAK_BOARD : COUNTS;
  return version === null
    ? begins
    : `It was in version ${version}. Laurel shows its standings from then again and continues them, without what was recorded in between.`;
}

const COUNTS = 'It counts what is recorded after publication. Everyone begins without a value.';
const STREAK_BOARD = 'It is empty at first. Users join it as soon as they next extend their streak.';

function compareBoard(path: string, before: LeaderboardDocument, after: LeaderboardDocument): Change[] {
  const runs = `Laurel recalculates all runs, counting from ${after.start}. ${RUN_VALUES}`;
  return [
    ...compareRanking(path, before, after),
    ...changedFields<LeaderboardDocument, 'key' | 'rankBy' | 'metric' | 'pointsSystem'>(path, before, after, {
      name: ONLY_SHOWN,
      description: ONLY_SHOWN,
      start: `Nothing dated before ${after.start} counts. ${RUN_VALUES}`,
      end: (_, end) => endEffect(end),
      runUnit: runs,
      runInterval: runs,
      maxParticipants: (was, is) =>
        is < was
          ? `Laurel ranks only ${is} users. Users beyond that have no rank, but everyone keeps their value.`
          : `Laurel ranks up to ${is} users.`,
    }),
  ];
}

const RUN_VALUES =
  'Values belong to a run by its first date: a run that begins on a date on which no run began before is empty at first.';

/** `rankBy` and its fields are compared as one value. */
function compareRanking(path: string, before: LeaderboardDocument, after: LeaderboardDocument): Change[] {
  const [was, is] = [rankingOf(before), rankingOf(after)];
  return isDeepStrictEqual(was, is) ? [] : [changed(`${path}.rankBy`, was, is, rankingEffect(after))];
}

function rankingOf({ rankBy, metric, pointsSystem }: LeaderboardDocument) {
  return { rankBy, ...(metric !== undefined && { metric }), ...(pointsSystem !== undefined && { pointsSystem }) };
}

function rankingEffect({ rankBy, metric, pointsSystem }: LeaderboardDocument): string {
  const anew = 'A leaderboard with a new key would start from scratch.';
  switch (rankBy) {
    case 'metric':
      return `Existing values stay, and Laurel adds values of ${metric} recorded after publication to them. ${anew}`;
    case 'points':
      return `Existing values stay, and Laurel adds awards of ${pointsSystem} recorded after publication to them. ${anew}`;
    case 'streak':
      return `Existing values stay until each user's streak next changes. ${anew}`;
  }
}

function endEffect(end: string | null): string {
  return end === null
    ? 'It continues without an end. Anything dated after its former end and recorded before publication still does not count.'
    : `From publication, nothing dated after ${end} counts. What has been counted stays, and what has not been counted is not counted later.`;
}
