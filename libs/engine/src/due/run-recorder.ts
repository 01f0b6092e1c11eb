import type { Instant, LocalDate } from '@laurel/calendar';
import type {
  AccountEvent,
  BoardsArea,
  Configuration,
  ConfigurationHistory,
  LeaderboardDefinition,
  RecordedEvent,
  RunEvent,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { publicationsIn } from '../folding/publications.ts';

export interface RunRecorderDependencies {
  readonly log: {
    readAccountEvents(account: string, types: readonly AccountEvent['type'][]): Promise<readonly RecordedEvent[]>;
  };
  readonly configurations: (account: string) => ConfigurationHistory;
  readonly boards: Pick<BoardsArea, 'runTurns'>;
  readonly clock: Pick<Clock, 'now'>;
  /**
   * @param at when the run began or became final @throws StoreUnavailableError if it is unknown whether the event was
   * recorded.
   */
  readonly record: (account: string, fact: RunEvent, at: Instant) => Promise<void>;
}

/**
 * A run's end is recorded late enough that everything due in the run is settled, and everything received before is
 * recorded.
 */
const ENDED_AFTER_MS = 10 * 60_000;

/** Runs recorded by one call; the next call continues. */
const RUNS_AT_A_TIME = 1_000;

const KINDS = [
  { kind: 'ended', outcome: 'leaderboard.finished', fact: 'LeaderboardRunEnded', afterMs: ENDED_AFTER_MS },
  { kind: 'started', outcome: 'leaderboard.started', fact: 'LeaderboardRunStarted', afterMs: 0 },
] as const;
type Kind = (typeof KINDS)[number];

/** A board whose runs are announced when they begin, or when they end. */
interface WatchedBoard {
  readonly kind: Kind;
  readonly board: LeaderboardDefinition;
  /** Runs up to this instant are already recorded. */
  after: Instant;
  /** First date of the newest recorded run, or null if none is recorded. */
  newest: LocalDate | null;
}

interface Watched {
  /** The configuration that defines the boards. */
  readonly current: Configuration;
  readonly boards: readonly WatchedBoard[];
}

/**
 * Records that runs of leaderboards have begun or ended, once each, while the version in force announces it (ADR 0045).
 * Only one process at a time may do so.
 */
export class RunRecorder {
  readonly #dependencies: RunRecorderDependencies;
  readonly #watched = new Map<string, Watched>();

  constructor(dependencies: RunRecorderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the next call read the log again: another process may have recorded runs meanwhile. */
  forget(): void {
    this.#watched.clear();
  }

  /**
   * Records the runs that have begun or ended by now, oldest first. @throws StoreUnavailableError; the next call
   * continues.
   */
  async recordDue(account: string): Promise<void> {
    const history = this.#dependencies.configurations(account);
    if (!KINDS.some((kind) => isNotified(history.current, kind))) return;
    try {
      for (const { watched, run, at } of this.#due(await this.#boardsOf(account, history))) {
        await this.#dependencies.record(account, { type: watched.kind.fact, board: watched.board.key, run }, at);
        watched.after = at;
        watched.newest = run;
      }
    } catch (error) {
      this.#watched.delete(account);
      throw error;
    }
  }

  #due(boards: readonly WatchedBoard[]) {
    const now = this.#dependencies.clock.now();
    const due = boards.flatMap((watched) => {
      const { kind, board, after, newest } = watched;
      const turns = this.#dependencies.boards.runTurns(board, kind.kind, after, now - kind.afterMs, RUNS_AT_A_TIME);
      return turns.filter(({ run }) => newest === null || run > newest).map((turn) => ({ ...turn, watched }));
    });
    return due.sort((one, other) => one.at - other.at).slice(0, RUNS_AT_A_TIME);
  }

  async #boardsOf(account: string, history: ConfigurationHistory): Promise<readonly WatchedBoard[]> {
    const known = this.#watched.get(account);
    if (known?.current === history.current) return known.boards;
    const { current } = history;
    const facts = await this.#dependencies.log.readAccountEvents(account, EVENTS);
    const boards = KINDS.filter((kind) => isNotified(current, kind)).flatMap((kind) =>
      current.leaderboards.map((board) => watchedBoard(kind, board, facts, history)),
    );
    this.#watched.set(account, { current, boards });
    return boards;
  }
}

const EVENTS = ['ConfigurationPublished', 'LeaderboardRunStarted', 'LeaderboardRunEnded'] as const;

const isNotified = ({ outgoing }: Configuration, { outcome }: Kind): boolean => outgoing?.types.has(outcome) ?? false;

function watchedBoard(
  kind: Kind,
  board: LeaderboardDefinition,
  facts: readonly RecordedEvent[],
  history: ConfigurationHistory,
): WatchedBoard {
  const watched: WatchedBoard = { kind, board, after: watchedSince(kind, board, facts, history), newest: null };
  for (const { fact, occurredAt } of facts) {
    if (fact.type !== kind.fact || fact.board !== board.key) continue;
    watched.after = Math.max(watched.after, occurredAt);
    if (watched.newest === null || fact.run > watched.newest) watched.newest = fact.run;
  }
  return watched;
}

/** Publication of the oldest version from which on every version has the board and announces its runs. */
function watchedSince(
  kind: Kind,
  { key }: LeaderboardDefinition,
  facts: readonly RecordedEvent[],
  history: ConfigurationHistory,
): Instant {
  const publishedAt = new Map(
    publicationsIn(facts).map((publication) => [publication.version, publication.publishedAt]),
  );
  let since: Instant | null = null;
  for (const version of [...publishedAt.keys()].sort((one, other) => other - one)) {
    const configuration = history.at(version);
    if (!isNotified(configuration, kind) || !configuration.leaderboardByKey.has(key)) break;
    since = publishedAt.get(version) ?? null;
  }
  if (since === null) throw new Error('the version in force is not in the log yet');
  return since;
}
