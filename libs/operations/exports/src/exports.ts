import type { AchievementQueries } from '@laurel/achievements';
import { formatInstant, localDate, type Instant, type LocalDate } from '@laurel/calendar';
import {
  dueAwardId,
  type ConfigurationHistory,
  type LeaderboardDefinition,
  type Subject,
  type BoardRun,
} from '@laurel/kernel';
import type { Clock, Directory } from '@laurel/ports';
import {
  awardBoosts,
  invalidRequest,
  isUserId,
  jsonAmount,
  jsonInteger,
  ProblemError,
  problemOf,
  unknownThing,
  writeJson,
  type ExportedAward,
  type ExportedEvent,
  type ExportedRanking,
  type ExportedWinner,
} from '@laurel/schemas';
import type { LeaderboardQueries, RunPage } from '@laurel/leaderboards';
import { redactFor } from '@laurel/outgoing';
import type { InstantRange, PointsQueries, RecordedAward } from '@laurel/points';
import type { StreakQueries } from '@laurel/streaks';
import type { UserQueries } from '@laurel/users';
import type { ExportedUser } from './export-state.ts';
import { exportedEvents, type EventModels } from './exported-events.ts';
import {
  arrayChunks,
  earnedAnswer,
  pointsAnswer,
  profileAnswer,
  recordedEvent,
  recordsOfUser,
  totalsAnswer,
  type LogOfUsers,
} from './exported-user.ts';
import { deliveryRow, type SubscriberReads } from './subscriber-reads.ts';

export interface ExportModels extends EventModels {
  readonly log: LogOfUsers;
  readonly directory: Pick<Directory, 'find' | 'idsOf'>;
  readonly users: Pick<UserQueries, 'find' | 'profiles'>;
  readonly streaks: Pick<StreakQueries, 'view' | 'allPeriods'>;
  readonly achievements: Pick<AchievementQueries, 'completedBy'>;
  readonly points: Pick<PointsQueries, 'everyAward' | 'awardsOfUser' | 'exportOf'>;
  readonly leaderboards: LeaderboardQueries;
  readonly told: Pick<SubscriberReads, 'outcomes' | 'deliveries'>;
  readonly configuration: (account: string) => ConfigurationHistory;
  readonly clock: Clock;
}

interface WinnersQuery {
  readonly leaderboard: string;
  /** Any date in the run, or null for the newest final run. */
  readonly run: LocalDate | null;
  readonly limit: number;
}

/** Exports of an account. Each page is read after the previous one was consumed, so memory does not grow with the account. */
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
      yield awards.map((award) => awardRow(account, award, ids.get(award.subject) ?? null));
    }
  }

  /** The rankings of runs that overlap the range, whose ends count as dates in UTC. */
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
    const changed = await this.#models.leaderboards.changedAt(account, board, run);
    const changedAt = changed === null ? null : formatInstant(changed);
    for await (const page of this.#models.leaderboards.exportRun(account, board, run, limit)) {
      const subjects = page.rankings.map(({ subject }) => subject);
      const [ids, profiles] = await Promise.all([
        this.#idsOf(account, page.rankings),
        this.#models.users.profiles(account, subjects),
      ]);
      yield rowsOf(page, ids).map((row, index): ExportedWinner => {
        const profile = profiles.get(subjects[index] as Subject);
        const { value, reachedAt, ...place } = row;
        return { ...place, name: profile?.name ?? null, email: profile?.email ?? null, value, reachedAt, changedAt };
      });
    }
  }

  /** All data about a user, as chunks of JSON text; null if there is no such user. */
  async user(account: string, id: string): Promise<AsyncGenerator<string, void> | null> {
    const { directory, users } = this.#models;
    const subject = isUserId(id) ? await directory.find(account, id) : null;
    const profile = subject === null ? null : await users.find(account, subject);
    return subject === null || profile === null ? null : this.#user(account, { id, subject, profile });
  }

  async *#user(account: string, { id, subject, profile }: ExportedUser): AsyncGenerator<string, void> {
    const { log, achievements, points, leaderboards, told, clock } = this.#models;
    const at = clock.now();
    const completed = await achievements.completedBy(account, subject);
    const totals = await points.exportOf(account, subject, at);
    const streak = await this.#streak(account, subject, at);
    yield `{"user":${writeJson(profileAnswer(id, profile))},\n"totals":${writeJson(totalsAnswer(profile))}`;
    yield `,\n"achievements":${writeJson(Object.fromEntries([...completed].map(([key, when]) => [key, formatInstant(when)])))}`;
    const earned = earnedAnswer(totals);
    yield `,\n"points":${writeJson(pointsAnswer(totals))}${earned === null ? '' : `,\n"earned":${writeJson(earned)}`}`;
    yield `,\n"streak":${writeJson(streak)},\n"events":`;
    yield* arrayChunks(recordsOfUser(log, account, subject), recordedEvent);
    yield ',\n"awards":';
    yield* arrayChunks(points.awardsOfUser(account, subject), (award) => {
      const { userId: _, ...row } = awardRow(account, award, id);
      return row;
    });
    yield ',\n"standings":';
    yield* arrayChunks(leaderboards.standingsOfUser(account, subject), ({ board, runStart, value, reachedAt }) => ({
      leaderboard: board,
      run: runStart,
      value: jsonAmount(value),
      reachedAt: formatInstant(reachedAt),
    }));
    yield ',\n"rankChanges":';
    yield* arrayChunks(leaderboards.rankChangesOfUser(account, subject), ({ board, runStart, ...change }) => ({
      leaderboard: board,
      run: runStart,
      at: formatInstant(change.at),
      previousRank: change.previousRank,
      rank: change.rank,
      value: jsonAmount(change.value),
    }));
    yield ',\n"outcomes":';
    yield* arrayChunks(told.outcomes(account, subject), (body) => redactFor(id, body));
    yield ',\n"webhookDeliveries":';
    yield* arrayChunks(told.deliveries(account, subject), deliveryRow(id));
    yield '}\n';
  }

  async #streak(account: string, subject: Subject, at: Instant) {
    const { streaks } = this.#models;
    const { length, started, expires, freezes = null } = await streaks.view(account, subject, at);
    const periods = await streaks.allPeriods(account, subject, at);
    return {
      length,
      started,
      expires,
      freezes,
      periods: periods.map(({ periodStart, length: then }) => ({ periodStart, length: then })),
    };
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

function awardRow(account: string, award: RecordedAward, userId: string | null): ExportedAward {
  const { id, at, date, system, triggerId, awarded, total, boosts } = award;
  const due = userId === null ? null : dueAwardId({ account, userId, system }, triggerId, at);
  return {
    id: id ?? due,
    at: formatInstant(at),
    date,
    userId,
    points: system,
    triggerId,
    awarded: jsonInteger(awarded),
    total: jsonInteger(total),
    ...awardBoosts(boosts, at),
  };
}

const rowsOf = ({ board, run, rankings }: RunPage, ids: ReadonlyMap<Subject, string>): readonly ExportedRanking[] =>
  rankings.map(({ subject, rank, value, reachedAt }) => ({
    leaderboard: board,
    run: run.start,
    runEnd: run.end,
    rank,
    userId: ids.get(subject) ?? null,
    value: jsonAmount(value),
    reachedAt: formatInstant(reachedAt),
  }));

/** The first date that begins at or after the instant. */
const dateBehind = (at: Instant): LocalDate => localDate(at + DAY_MS - 1, 'UTC');
const DAY_MS = 86_400_000;
