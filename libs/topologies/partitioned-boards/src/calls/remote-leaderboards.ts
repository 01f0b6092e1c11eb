import type { ConfigurationHistory, SqlReader, Subject, BoardRanking, BoardRun } from '@laurel/kernel';
import { LeaderboardQueries, LeaderboardsArea } from '@laurel/leaderboards';
import { runKeyOf } from '@laurel/contributions';
import type { BoardClient } from './board-client.ts';
import type { RunQuery } from './board-requests.ts';

interface RemoteLeaderboardsDependencies {
  readonly boards: Pick<BoardClient, 'rankings' | 'standings'>;
  /** Reads the leaderboard service's schema. */
  readonly sql: SqlReader;
  readonly configurations: (account: string) => ConfigurationHistory;
  /** Limit for an owner's answer. Default: 5 s. */
  readonly limitMs?: number;
}

/**
 * The read side of the leaderboards in a process without standings: asks the owners of the boards for ranks, and reads
 * histories from the database. @throws Error for a board that the configuration does not have; StoreUnavailableError if
 * an owner does not answer.
 */
export class RemoteLeaderboards extends LeaderboardQueries {
  readonly #dependencies: RemoteLeaderboardsDependencies;
  readonly #limitMs: number;

  constructor(dependencies: RemoteLeaderboardsDependencies) {
    super(new LeaderboardsArea(dependencies.sql), dependencies.sql, dependencies.configurations);
    this.#dependencies = dependencies;
    this.#limitMs = dependencies.limitMs ?? 5_000;
  }

  override async rankings(
    account: string,
    board: string,
    run: BoardRun,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<readonly BoardRanking[]> {
    return this.#dependencies.boards.rankings(this.#asked(account, board, run), offset, limit, this.#limitMs);
  }

  override async standing(account: string, board: string, run: BoardRun, subject: Subject) {
    const [standing] = await this.#dependencies.boards.standings(
      [this.#asked(account, board, run)],
      subject,
      this.#limitMs,
    );
    const { rank = null, value = null } = standing ?? {};
    return value === null ? { rank: null, value } : { rank, value };
  }

  #asked(account: string, board: string, run: BoardRun): RunQuery {
    const configuration = this.#dependencies.configurations(account).current;
    const definition = configuration.leaderboardByKey.get(board);
    if (definition === undefined) throw new Error(`the configuration has no leaderboard ${JSON.stringify(board)}`);
    return { ...runKeyOf(configuration, board, run), maxParticipants: definition.maxParticipants };
  }
}
