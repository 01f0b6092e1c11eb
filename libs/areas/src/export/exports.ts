import { formatInstant, localDate, type Instant, type LocalDate } from '@laurel/calendar';
import {
  dueAwardId,
  invalidRequest,
  jsonAmount,
  jsonInteger,
  ProblemError,
  problemOf,
  unknownThing,
  type BoardRun,
  type Clock,
  type ConfigurationHistory,
  type ExportedAward,
  type ExportedEvent,
  type ExportedRanking,
  type ExportedWinner,
  type LeaderboardDefinition,
  type Subject,
} from '@laurel/contracts';
import type { LeaderboardQueries, RunPage } from '@laurel/leaderboards';
import type { InstantRange, PointsQueries } from '@laurel/points';
import type { UserQueries } from '@laurel/users';
import { exportedEvents, type EventModels } from './exported-events.ts';

export interface ExportModels extends EventModels {
  readonly users: Pick<UserQueries, 'profiles'>;
  readonly points: Pick<PointsQueries, 'everyAward'>;
  readonly leaderboards: Pick<LeaderboardQueries, 'run' | 'isFinal' | 'newestFinalRun' | 'exportRuns' | 'exportRun'>;
  readonly configuration: (account: string) => ConfigurationHistory;
  readonly clock: Clock;
}

/** Which winners are asked for. */
export interface WinnersQuery {
  readonly leaderboard: string;
  /** Any date within the run; null: the newest run that is final. */
  readonly run: LocalDate | null;
  readonly limit: number;
}

/** Rows of the account in pages, each read when the one before was taken: what is in memory does not grow with the account. */
export class Exports {
  readonly #models: ExportModels;

  constructor(models: ExportModels) {
    this.#models = models;
  }

  /** See {@link exportedEvents}. */
  events(account: string, range: InstantRange): AsyncGenerator<readonly ExportedEvent[], void> {
    return exportedEvents(this.#models, account, range);
  }

  /** Recorded awards, user by user. */
  async *awards(account: string, range: InstantRange): AsyncGenerator<readonly ExportedAward[], void> {
    for await (const awards of this.#models.points.everyAward(account, range)) {
      const ids = await this.#idsOf(account, awards);
      yield awards.map(({ subject, id, at, date, system, triggerId, awarded, total }) => {
        const userId = ids.get(subject) ?? null;
        const due = userId === null ? null : dueAwardId({ account, userId, system }, triggerId, at);
        return {
          ...{ id: id ?? due, at: formatInstant(at), date, userId, points: system, triggerId },
          ...{ awarded: jsonInteger(awarded), total: jsonInteger(total) },
        };
      });
    }
  }

  /** The ranked rows of the runs that touch the range, whose ends are taken as dates in UTC. */
  async *rankings(account: string, { from, to }: InstantRange): AsyncGenerator<readonly ExportedRanking[], void> {
    const dates = { from: from === null ? null : localDate(from, 'UTC'), to: to === null ? null : dateBehind(to) };
    for await (const page of this.#models.leaderboards.exportRuns(account, dates)) {
      const ids = await this.#idsOf(account, page.rankings);
      yield rowsOf(page, ids);
    }
  }

  /**
   * The winners of a run.
   * @throws ProblemError 404 if there is no such board or run, 422 if the run is not final.
   */
  winners(account: string, query: WinnersQuery): AsyncGenerator<readonly ExportedWinner[], void> {
    const board = this.#configured(account, query.leaderboard);
    const limit = Math.min(query.limit, board.maxParticipants);
    return this.#winners(account, board.key, this.#finalRun(account, board.key, query.run), limit);
  }

  async *#winners(account: string, board: string, run: BoardRun, limit: number) {
    for await (const page of this.#models.leaderboards.exportRun(account, board, run, limit)) {
      const subjects = page.rankings.map(({ subject }) => subject);
      const [ids, profiles] = await Promise.all([
        this.#idsOf(account, page.rankings),
        this.#models.users.profiles(account, subjects),
      ]);
      yield rowsOf(page, ids).map((row, index): ExportedWinner => {
        const profile = profiles.get(subjects[index] as Subject);
        const { value, reachedAt, ...place } = row;
        return { ...place, name: profile?.name ?? null, email: profile?.email ?? null, value, reachedAt };
      });
    }
  }

  #configured(account: string, key: string): LeaderboardDefinition {
    const { leaderboardByKey } = this.#models.configuration(account).current;
    const board = leaderboardByKey.get(key);
    if (board) return board;
    throw new ProblemError(unknownThing('unknown_leaderboard', key, leaderboardByKey.keys()));
  }

  #finalRun(account: string, board: string, date: LocalDate | null): BoardRun {
    const { leaderboards, clock } = this.#models;
    const at = clock.now();
    const run =
      date === null ? leaderboards.newestFinalRun(account, board, at) : leaderboards.run(account, board, at, date);
    if (run === null) {
      const why = date === null ? 'No run of this leaderboard is final yet.' : 'There is no run on this date.';
      throw new ProblemError(problemOf('unknown_run', why));
    }
    if (leaderboards.isFinal(run, at)) return run;
    const message = `must name a run that is final: this one ${run.end === null ? 'has no end' : `ends on ${run.end}, and every clock must have left that date`}`;
    throw new ProblemError(invalidRequest([{ path: 'run', message }]));
  }

  #idsOf(account: string, rows: readonly { readonly subject: Subject }[]): Promise<ReadonlyMap<Subject, string>> {
    return this.#models.directory.idsOf(account, [...new Set(rows.map(({ subject }) => subject))]);
  }
}

const rowsOf = ({ board, run, rankings }: RunPage, ids: ReadonlyMap<Subject, string>): readonly ExportedRanking[] =>
  rankings.map(({ subject, rank, value, reachedAt }) => ({
    ...{ leaderboard: board, run: run.start, runEnd: run.end, rank, userId: ids.get(subject) ?? null },
    ...{ value: jsonAmount(value), reachedAt: formatInstant(reachedAt) },
  }));

/** The first date that begins at or after the instant. */
const dateBehind = (at: Instant): LocalDate => localDate(at + DAY_MS - 1, 'UTC');
const DAY_MS = 86_400_000;
