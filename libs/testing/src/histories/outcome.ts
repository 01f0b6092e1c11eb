import { compileHistory } from '@laurel/configuration';
import {
  type Configuration,
  type RecordedEvent,
  type RecordedUserEvent,
  type UsersAnswer,
  type Subject,
  userEventsOf,
} from '@laurel/kernel';
import type { LeaderboardsArea } from '@laurel/leaderboards';
import { publicationsIn } from '@laurel/engine';
import { ACCOUNT } from './account.ts';

/** The result of one event for one user, in a form that all ways of applying it share. */
export interface Outcome {
  readonly position: number;
  readonly subject: Subject;
  readonly user: UsersAnswer;
  readonly streak: unknown;
  readonly completed: readonly unknown[];
  readonly awards: readonly unknown[];
  readonly systems: readonly unknown[];
  readonly ranks: readonly unknown[];
  /** All effects except those on standings. */
  readonly rows: readonly string[];
  readonly states: unknown;
  readonly dueAt: number | null;
}

/** The results of a log. */
export interface Outcomes {
  readonly outcomes: readonly Outcome[];
  /** All users on each board and run, in order. */
  readonly standings: ReadonlyMap<string, unknown>;
}

/** Every event of the log, for each user that it concerns, with its configuration. */
export function* recordedUserEvents(
  records: readonly RecordedEvent[],
): Generator<{ record: RecordedUserEvent; configuration: Configuration }> {
  const history = compileHistory(ACCOUNT, publicationsIn(records));
  for (const record of records) {
    if (record.fact.type === 'CorrectionRecorded') continue;
    for (const event of userEventsOf(record))
      yield { record: event, configuration: history.at(record.configurationVersion) };
  }
}

export const rowText = (table: string, { id: _id, ...row }: Readonly<Record<string, unknown>>): string =>
  `${table} ${JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

/** Sorts states, whose order has no meaning. */
export function sortedStates(states: unknown): unknown {
  const text = (value: unknown) => JSON.stringify(value);
  const sorted = (list: unknown) =>
    Array.isArray(list) ? [...(list as unknown[])].sort((a, b) => (text(a) < text(b) ? -1 : 1)) : list;
  const { users, streaks, achievements, points } = states as Record<string, Record<string, unknown> | null>;
  return {
    users: { ...users, totals: sorted(users?.['totals']) },
    streaks: { ...streaks, progress: sorted(streaks?.['progress']) },
    achievements: sorted(achievements),
    points: points && {
      ...points,
      systems: sorted(
        (points['systems'] as unknown[][]).map(([key, total, at, sums]) => [key, total, at, sorted(sums)]),
      ),
    },
  };
}

/** @param runs texts of the board's number and the first date, joined with a NUL */
export async function standingsOf(boards: LeaderboardsArea, runs: Iterable<string>): Promise<Outcomes['standings']> {
  const standings = new Map<string, unknown>();
  for (const run of [...new Set(runs)].sort()) {
    const [board = '', start = ''] = run.split('\0');
    const committed = await boards.committed({ account: ACCOUNT, board, boardNumber: Number(board), start });
    standings.set(run, committed?.rankings(0, Infinity, Infinity));
  }
  return standings;
}
