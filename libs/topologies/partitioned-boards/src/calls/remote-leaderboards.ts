import type { Instant, LocalDate } from '@laurel/calendar';
import type { ConfigurationHistory, SqlReader, Subject, UserRef, BoardRanking, BoardRun } from '@laurel/kernel';
import type { BoardHistoryEntry, CountedRun, LeaderboardReads } from '@laurel/ports';
import { runKeyOf } from '@laurel/contributions';
import { LeaderboardQueries, LeaderboardsArea } from '@laurel/leaderboards';
import type { BoardClient } from './board-client.ts';
import type { AskedRun } from './board-questions.ts';

export interface RemoteLeaderboardsParts {
  readonly boards: Pick<BoardClient, 'rankings' | 'standings'>;
  /** Of the leaderboard service's schema. */
  readonly sql: SqlReader;
  readonly configurations: (account: string) => ConfigurationHistory;
  /** For an owner's answer. Default 5 s. */
  readonly limitMs?: number;
}

/**
 * The read side of the leaderboards in a process that holds no standings: ranks from the boards' owners, histories from the
 * database. @throws Error for a board that the configuration does not hold; StoreUnavailableError if an owner does not answer.
 */
export class RemoteLeaderboards implements LeaderboardReads {
  readonly #parts: RemoteLeaderboardsParts;
  /** For what takes no standings. */
  readonly #local: LeaderboardQueries;
  readonly #limitMs: number;

  constructor(parts: RemoteLeaderboardsParts) {
    this.#parts = parts;
    this.#local = new LeaderboardQueries(new LeaderboardsArea(parts.sql), parts.sql, parts.configurations);
    this.#limitMs = parts.limitMs ?? 5_000;
  }

  status(account: string, board: string, at: Instant): 'scheduled' | 'active' | 'finished' {
    return this.#local.status(account, board, at);
  }

  run(account: string, board: string, at: Instant, date: LocalDate | null): BoardRun | null {
    return this.#local.run(account, board, at, date);
  }

  runs(
    account: string,
    board: string,
    at: Instant,
    page: { readonly before: LocalDate | null; readonly limit: number },
  ): Promise<readonly CountedRun[]> {
    return this.#local.runs(account, board, at, page);
  }

  changedAt(account: string, board: string, run: BoardRun): Promise<Instant | null> {
    return this.#local.changedAt(account, board, run);
  }

  async rankings(
    account: string,
    board: string,
    run: BoardRun,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<readonly BoardRanking[]> {
    return this.#parts.boards.rankings(this.#asked(account, board, run), offset, limit, this.#limitMs);
  }

  async standing(account: string, board: string, run: BoardRun, subject: Subject) {
    const [standing] = await this.#parts.boards.standings([this.#asked(account, board, run)], subject, this.#limitMs);
    return { rank: standing?.rank ?? null, value: standing?.value ?? null };
  }

  history(user: UserRef, board: string, run: BoardRun, limit: number): Promise<readonly BoardHistoryEntry[]> {
    return this.#local.history(user, board, run, limit);
  }

  #asked(account: string, board: string, run: BoardRun): AskedRun {
    const configuration = this.#parts.configurations(account).current;
    const definition = configuration.leaderboardByKey.get(board);
    if (definition === undefined) throw new Error(`the configuration has no leaderboard ${JSON.stringify(board)}`);
    return { ...runKeyOf(configuration, board, run), maxParticipants: definition.maxParticipants };
  }
}
