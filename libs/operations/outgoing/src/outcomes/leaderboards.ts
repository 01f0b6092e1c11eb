import { formatDay } from '@laurel/calendar';
import { effectsOfType, groupBy, type LeaderboardDefinition, type RankChanged } from '@laurel/kernel';
import { jsonAmount, leaderboardFields } from '@laurel/schemas';
import type { Draft } from './candidate.ts';
import type { Composer } from './composer.ts';
import { beginningWith } from './json-text.ts';
import { isOfNow, oncePerEvent, type Ranked, type UserSourceEvent } from './source-event.ts';

/** The change of a user's rank in one run by an event. */
interface Move {
  /** Identifies the run within the account. */
  readonly run: string;
  readonly board: LeaderboardDefinition;
  readonly first: RankChanged;
  readonly last: RankChanged;
}

export const rankChanged: Composer<'leaderboard.rank_changed'> = (event) =>
  movesOf(event).map(({ run, board, first, last }) => {
    const standing = { rank: last.rank, value: jsonAmount(BigInt(last.value)) };
    const leaderboard = runOnBoard(event, board, last, standing);
    const before = BigInt(first.previousValue ?? 0);
    const previousValue = before === 0n ? null : jsonAmount(before);
    const fields = { leaderboard, previousRank: first.previousRank, previousValue };
    return { subject: run, at: last.at, fields };
  });

/** One outcome for each user among the announced ranks whom the user of the event passed, best first. */
export const rankLost: Composer<'leaderboard.rank_lost'> = (event) =>
  movesOf(event).flatMap((move) => {
    const { announceTop: announced = 0 } = event.configuration.outgoing ?? {};
    const rank = move.last.rank ?? Infinity;
    const previousRank = Math.min(move.first.previousRank ?? Infinity, announced + 1);
    if (rank >= previousRank) return [];
    const passed = event.topOf(move.last).slice(rank, previousRank);
    return passed.flatMap((one, place) => lostBy(event, move, one, rank + place));
  });

export const leaderboardChanged: Composer<'leaderboard.changed'> = (event) =>
  movesOf(event).flatMap(({ run, board, first, last }) => {
    const { announceTop: announced = 0 } = event.configuration.outgoing ?? {};
    if (Math.min(first.previousRank ?? Infinity, last.rank ?? Infinity) > announced) return [];
    const shown = event.topOf(last).slice(0, Math.min(announced, board.maxParticipants));
    const fields = { leaderboard: runOnBoard(event, board, last, rankingFields(shown)) };
    const others = shown.flatMap(({ subject, user }) => (user === null ? [] : [subject]));
    return [{ subject: run, at: last.at, fields, user: null, others }];
  });

/** Rankings, best first. */
export const rankingFields = (top: readonly Ranked[]) => ({
  rankings: top.map(({ user, value }, place) => ({
    userId: user?.id ?? '',
    userName: user?.name ?? null,
    rank: place + 1,
    value: jsonAmount(BigInt(value)),
  })),
});

function lostBy(
  event: UserSourceEvent,
  { run, board, last }: Move,
  { subject, user, value }: Ranked,
  previousRank: number,
): readonly Draft<'leaderboard.rank_lost'>[] {
  if (user === null) return [];
  const rank = previousRank < board.maxParticipants ? previousRank + 1 : null;
  const leaderboard = runOnBoard(event, board, last, { rank, value: jsonAmount(BigInt(value)) });
  const fields = { leaderboard, rank, previousRank, by: event.userId };
  const whom = { user: { subject, answer: user }, others: [event.record.fact.subject] };
  return [{ subject: `${run} ${subject}`, at: last.at, fields, ...whom }];
}

/** The moves in which the rank changed, in the order of the configured boards and then of their runs. */
const movesOf = oncePerEvent((event): readonly Move[] => {
  const { leaderboards } = event.configuration;
  const placeOf = ({ board }: RankChanged) => leaderboards.findIndex(({ key }) => key === board);
  const changes = effectsOfType(event.effects, 'RankChanged')
    .filter((change) => isOfNow(event, change))
    .sort((one, other) => placeOf(one) - placeOf(other) || one.run - other.run || one.ordinal - other.ordinal);
  return [...groupBy(changes, runOf)].flatMap(([run, moved]) => {
    const [first, last] = [moved[0] as RankChanged, moved.at(-1) as RankChanged];
    const board = event.configuration.leaderboardByKey.get(last.board);
    return board === undefined || first.previousRank === last.rank ? [] : [{ run, board, first, last }];
  });
});

/** A run in a body: the fields of its board, then its own. */
export const onBoard = beginningWith<LeaderboardDefinition>(leaderboardFields);

const runOnBoard = ({ runEndOf }: UserSourceEvent, board: LeaderboardDefinition, change: RankChanged, rest: object) =>
  onBoard(board, { runStart: formatDay(change.run), runEnd: runEndOf(change), ...rest });

const runOf = ({ board, run }: RankChanged): string => `${board} ${formatDay(run)}`;
