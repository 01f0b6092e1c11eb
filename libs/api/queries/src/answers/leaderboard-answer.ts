import { formatInstant, localDate, type Instant, type Zone } from '@laurel/calendar';
import type {
  Configuration,
  LeaderboardDefinition,
  LeaderboardsAnswer,
  Subject,
  BoardRanking,
  BoardRun,
} from '@laurel/kernel';
import type { BoardHistoryEntry, LeaderboardReads } from '@laurel/ports';
import {
  jsonAmount,
  leaderboardFields,
  type LeaderboardAnswer,
  type LeaderboardEntry,
  type ListedLeaderboard,
  type UserLeaderboard,
} from '@laurel/schemas';

type Status = ReturnType<LeaderboardReads['status']>;
type Standing = Awaited<ReturnType<LeaderboardReads['standing']>>;

/** The boards on which an event moved the user, by key. */
export function leaderboardEntries(
  section: LeaderboardsAnswer,
  configuration: Configuration,
): Record<string, LeaderboardEntry> {
  const entries = section.boards.flatMap((outcome): [string, LeaderboardEntry][] => {
    const board = configuration.leaderboardByKey.get(outcome.key);
    if (!board) return [];
    const { runStart: start, runEnd: end, threshold, previousRank, rank } = outcome;
    return [
      [outcome.key, leaderboardEntry(board, { start, end, threshold: jsonAmount(threshold), previousRank, rank })],
    ];
  });
  return Object.fromEntries(entries);
}

type EntryFields = Pick<LeaderboardEntry, 'start' | 'end' | 'threshold' | 'previousRank' | 'rank'>;

/** A board in the answer to an event: the run whose value changed, and the ranks. */
export function leaderboardEntry(
  board: LeaderboardDefinition,
  { start, end, threshold, previousRank, rank }: EntryFields,
): LeaderboardEntry {
  return { ...leaderboardFields(board), start, end, threshold, previousRank, rank };
}

export function listedLeaderboard(board: LeaderboardDefinition, status: Status): ListedLeaderboard {
  return { ...leaderboardFields(board), status };
}

/** The run that a read shows. */
export interface ShownRun extends BoardRun {
  readonly changedAt: Instant | null;
}

interface ShownRankings {
  /** null if the board has not begun. */
  readonly run: ShownRun | null;
  readonly rankings: readonly BoardRanking[];
  readonly ids: ReadonlyMap<Subject, string>;
  /** Names of the users who have one. */
  readonly names: ReadonlyMap<Subject, string>;
}

export function leaderboardAnswer(
  board: LeaderboardDefinition,
  status: Status,
  { run, rankings, ids, names }: ShownRankings,
): LeaderboardAnswer {
  return {
    ...listedLeaderboard(board, status),
    ...runFields(run),
    rankings: rankings.map(({ subject, rank, value }) => ({
      userId: ids.get(subject) ?? '',
      userName: names.get(subject) ?? null,
      rank,
      value: jsonAmount(value),
    })),
  };
}

interface ShownStanding extends Standing {
  /** null if the board has not begun. */
  readonly run: ShownRun | null;
  readonly history: readonly BoardHistoryEntry[];
}

/** @param zone the user's zone, for the dates in the history */
export function userLeaderboard(
  board: LeaderboardDefinition,
  { run, rank, value, history }: ShownStanding,
  zone: Zone,
): UserLeaderboard {
  return {
    ...leaderboardFields(board),
    ...runFields(run),
    rank,
    value: value === null ? null : jsonAmount(value),
    history: history.map((entry) => ({
      timestamp: formatInstant(entry.at),
      date: localDate(entry.at, zone),
      previousRank: entry.previousRank,
      rank: entry.rank,
      previousValue: entry.previousValue === null ? null : jsonAmount(entry.previousValue),
      value: jsonAmount(entry.value),
    })),
  };
}

const runFields = (run: ShownRun | null) => ({
  runStart: run?.start ?? null,
  runEnd: run?.end ?? null,
  changedAt: instantOrNull(run?.changedAt ?? null),
});

export const instantOrNull = (at: Instant | null): string | null => (at === null ? null : formatInstant(at));
