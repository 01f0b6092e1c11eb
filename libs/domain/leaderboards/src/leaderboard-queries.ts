import { parseAmount } from '@laurel/amounts';
import type { Instant, LocalDate } from '@laurel/calendar';
import { begunRuns, currentRun, isFinal, newestFinalRun, runHolding, statusOf, runKeyOf } from '@laurel/contributions';
import type {
  ConfigurationHistory,
  LeaderboardDefinition,
  RunKey,
  SqlReader,
  Subject,
  UserRef,
  BoardRanking,
  BoardRun,
} from '@laurel/kernel';
import type { BoardHistoryEntry, CountedRun, LeaderboardReads } from '@laurel/ports';
import { exportRankings, type ExportedRun } from './export-rankings.ts';
import { exportRun, exportRuns, type DatesOfRuns, type RunPage } from './export-runs.ts';
import { rankChangesOfUser, standingsOfUser, type RankChangeOfUser, type StandingOfUser } from './export-user.ts';
import type { LeaderboardsArea } from './leaderboards-area.ts';
import { valueOf } from './rules/standing.ts';

interface RankChangeRow {
  readonly timestamp: Date;
  readonly previous_rank: number | null;
  readonly rank: number | null;
  readonly previous_value: string | null;
  readonly value: string;
}

/** Follows the order of the index `rank_changes_run`, so that Postgres sorts only a small range of positions at a time. */
const SELECT_NEWEST_RANK_CHANGES = `
select "timestamp", nullif(previous_rank, 0) as previous_rank, nullif(rank, 0) as rank, (lag(value) over (order by position, ordinal))::text as previous_value, value::text
from (
  select * from rank_changes
  where subject = $1 and board = $2 and run_start = $3::date
  order by position >> 10 desc, position desc, ordinal desc limit $4 + 1
) newest_and_one_before
order by position desc, ordinal desc limit $4`;

const SELECT_RUNS = `
select wanted.start::text, c.changed_at, (
  select coalesce(sum(participants), 0) from board_run_counts
  where account = $1 and board = $2 and run_start = wanted.start
) as participants
from unnest($3::date[]) as wanted (start)
left join final_run_changes c on c.account = $1 and c.board = $2 and c.run_start = wanted.start`;

interface RunRow {
  readonly start: LocalDate;
  readonly participants: string;
  readonly changed_at: string | null;
}

/**
 * Reads leaderboards under the configuration in force: ranks from the committed standings in memory, histories from the database.
 * @throws Error for a board that is not configured
 */
export class LeaderboardQueries implements LeaderboardReads {
  readonly #area: LeaderboardsArea;
  readonly #sql: SqlReader;
  readonly #configurations: (account: string) => ConfigurationHistory;

  constructor(area: LeaderboardsArea, sql: SqlReader, configurations: (account: string) => ConfigurationHistory) {
    this.#area = area;
    this.#sql = sql;
    this.#configurations = configurations;
  }

  status(account: string, board: string, at: Instant): 'scheduled' | 'active' | 'finished' {
    return statusOf(this.#definition(account, board), at);
  }

  run(account: string, board: string, at: Instant, date: LocalDate | null): BoardRun | null {
    const definition = this.#definition(account, board);
    return date === null ? currentRun(definition, at) : runHolding(definition, date);
  }

  async runs(
    account: string,
    board: string,
    at: Instant,
    { before, limit }: { readonly before: LocalDate | null; readonly limit: number },
  ): Promise<readonly CountedRun[]> {
    const runs = begunRuns(this.#definition(account, board), at, before, limit);
    if (runs.length === 0) return [];
    const { names } = this.#configurations(account).current;
    const stored = await this.#sql.query<RunRow>(SELECT_RUNS, [
      account,
      names.boards.numberOf(board),
      runs.map(({ start }) => start),
    ]);
    const byStart = new Map(stored.map((row) => [row.start, row]));
    return runs.map((run) => {
      const { participants = 0, changed_at: changedAt = null } = byStart.get(run.start) ?? {};
      return {
        ...run,
        participants: Number(participants),
        isFinal: isFinal(run.end, at),
        changedAt: changedAt === null ? null : Number(changedAt),
      };
    });
  }

  async changedAt(account: string, board: string, run: BoardRun): Promise<Instant | null> {
    const { boardNumber, start } = this.#runKey(account, board, run);
    const [row] = await this.#sql.query<{ changed_at: string }>(
      'select changed_at from final_run_changes where account = $1 and board = $2 and run_start = $3::date',
      [account, boardNumber, start],
    );
    return row === undefined ? null : Number(row.changed_at);
  }

  async rankings(
    account: string,
    board: string,
    run: BoardRun,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<readonly BoardRanking[]> {
    const { maxParticipants } = this.#definition(account, board);
    const committed = await this.#area.committed(this.#runKey(account, board, run));
    return committed?.rankings(offset, limit, maxParticipants) ?? [];
  }

  async standing(account: string, board: string, run: BoardRun, subject: Subject) {
    const { maxParticipants } = this.#definition(account, board);
    const committed = await this.#area.committed(this.#runKey(account, board, run));
    const standing = committed?.get(subject);
    if (!committed || !standing) return { rank: null, value: null };
    return { rank: committed.rank(subject, maxParticipants), value: valueOf(standing) };
  }

  async history(
    { account, subject }: UserRef,
    board: string,
    run: BoardRun,
    limit: number,
  ): Promise<readonly BoardHistoryEntry[]> {
    const { boardNumber, start } = this.#runKey(account, board, run);
    const parameters = [subject, boardNumber, start, limit];
    const newest = await this.#sql.query<RankChangeRow>(SELECT_NEWEST_RANK_CHANGES, parameters);
    return newest.reverse().map(historyEntry);
  }

  /** All rankings of an account: see {@link exportRankings}. */
  exportRankings(account: string): AsyncGenerator<ExportedRun, void> {
    return exportRankings(this.#sql, this.#configurations(account).current);
  }

  /** The rankings of the runs that overlap these dates: see {@link exportRuns}. */
  exportRuns(account: string, dates: DatesOfRuns): AsyncGenerator<RunPage, void> {
    return exportRuns(this.#sql, this.#configurations(account).current, dates);
  }

  /** The first `limit` rows of a run, from the database. */
  exportRun(account: string, board: string, run: BoardRun, limit: number): AsyncGenerator<RunPage, void> {
    return exportRun(this.#sql, this.#configurations(account).current, {
      board: this.#definition(account, board),
      run,
      limit,
    });
  }

  /** A user's standing in every run: see {@link standingsOfUser}. */
  standingsOfUser(account: string, subject: Subject): AsyncGenerator<readonly StandingOfUser[], void> {
    return standingsOfUser(this.#sql, this.#configurations(account).current, subject);
  }

  /** Every change of a user's value: see {@link rankChangesOfUser}. */
  rankChangesOfUser(account: string, subject: Subject): AsyncGenerator<readonly RankChangeOfUser[], void> {
    return rankChangesOfUser(this.#sql, this.#configurations(account).current, subject);
  }

  /** The newest run that live events can no longer change; null if no run is final yet. */
  newestFinalRun(account: string, board: string, at: Instant): BoardRun | null {
    return newestFinalRun(this.#definition(account, board), at);
  }

  isFinal(run: BoardRun, at: Instant): boolean {
    return isFinal(run.end, at);
  }

  #runKey(account: string, board: string, run: BoardRun): RunKey {
    return runKeyOf(this.#configurations(account).current, board, run);
  }

  #definition(account: string, board: string): LeaderboardDefinition {
    const definition = this.#configurations(account).current.leaderboardByKey.get(board);
    if (definition === undefined) throw new Error(`the configuration has no leaderboard ${JSON.stringify(board)}`);
    return definition;
  }
}

function historyEntry(row: RankChangeRow): BoardHistoryEntry {
  return {
    at: row.timestamp.getTime(),
    previousRank: row.previous_rank,
    rank: row.rank,
    previousValue: row.previous_value === null ? null : parseAmount(row.previous_value),
    value: parseAmount(row.value),
  };
}
