import { isDeepStrictEqual } from 'node:util';
import type { LeaderboardDocument } from '@laurel/contracts';
import { added, changed, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';
import { compareLists, compareOrder, ONLY_SHOWN, ORDER_OF_ANSWERS } from './compare-lists.ts';
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
  return [...entries, ...compareOrder('leaderboards', before, after, ({ key }) => key, ORDER_OF_ANSWERS)];
}

const WHEN_REMOVED =
  'Nothing counts for it from then on. Its standings are kept, but not shown; if it comes back under this key, they go on.';

/** A board counts from its publication on (specification, section 7). */
function whenAdded(board: LeaderboardDocument, past: Past): string {
  const version = past.versionWith('leaderboards', board.key);
  const begins = board.rankBy === 'streak' ? STREAK_BOARD : COUNTS;
  return version === null
    ? begins
    : `It was in version ${version}: its standings of then are shown again and go on, without what was recorded in between.`;
}

const COUNTS = 'It counts what is recorded from the publication on; everyone begins without a value.';
const STREAK_BOARD = 'It is empty at first: a user is on it as soon as their streak is next extended.';

function compareBoard(path: string, before: LeaderboardDocument, after: LeaderboardDocument): Change[] {
  const runs = `Runs are counted anew from ${after.start}. ${RUN_VALUES}`;
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
          ? `Only ${is} are ranked at once; who is beyond has no rank. Everybody's value is kept.`
          : `Up to ${is} are ranked at once.`,
    }),
  ];
}

const RUN_VALUES =
  'Values belong to a run by its first date: a run that begins on a date on which none began before is empty at first.';

/** `rankBy` and what stands beside it are one thing. */
function compareRanking(path: string, before: LeaderboardDocument, after: LeaderboardDocument): Change[] {
  const [was, is] = [rankingOf(before), rankingOf(after)];
  return isDeepStrictEqual(was, is) ? [] : [changed(`${path}.rankBy`, was, is, rankingEffect(after))];
}

function rankingOf({ rankBy, metric, pointsSystem }: LeaderboardDocument) {
  return { rankBy, ...(metric !== undefined && { metric }), ...(pointsSystem !== undefined && { pointsSystem }) };
}

function rankingEffect({ rankBy, metric, pointsSystem }: LeaderboardDocument): string {
  const anew = 'A board with another key would begin anew.';
  switch (rankBy) {
    case 'metric':
      return `Values so far stay, and what is recorded of ${metric} is added to them from then on. ${anew}`;
    case 'points':
      return `Values so far stay, and awards of ${pointsSystem} are added to them from then on. ${anew}`;
    case 'streak':
      return `Values so far stay until each user's streak next changes. ${anew}`;
  }
}

function endEffect(end: string | null): string {
  return end === null
    ? 'It goes on without an end. What was dated after its former end and recorded before the publication is not counted later.'
    : `Nothing dated after ${end} counts from then on. What was counted stays, and what was not is not counted later.`;
}
