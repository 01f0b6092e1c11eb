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
  /** @param at when the run began or became final @throws StoreUnavailableError if it is not known to be recorded. */
  readonly record: (account: string, fact: RunEvent, at: Instant) => Promise<void>;
}

/** What fell due in a run is settled before its end is recorded; so is what was received before and waits to be recorded. */
const ENDED_AFTER_MS = 10 * 60_000;

/** Of one call; the next one goes on. */
const RUNS_AT_A_TIME = 1_000;

const KINDS = [
  { kind: 'ended', outcome: 'leaderboard.finished', fact: 'LeaderboardRunEnded', afterMs: ENDED_AFTER_MS },
  { kind: 'started', outcome: 'leaderboard.started', fact: 'LeaderboardRunStarted', afterMs: 0 },
] as const;
type Kind = (typeof KINDS)[number];

/** A board whose runs are made known as they begin, or as they end. */
interface WatchedBoard {
  readonly kind: Kind;
  readonly board: LeaderboardDefinition;
  /** Nothing up to here is recorded any more. */
  after: Instant;
  /** First date of the newest run that was recorded; null: none was. */
  newest: LocalDate | null;
}

interface Watched {
  /** As of which the boards are. */
  readonly current: Configuration;
  readonly boards: readonly WatchedBoard[];
}

/**
 * Records that runs of leaderboards have begun or ended, each once, while the version in force makes that known (ADR 0045). One process at a
 * time may do so.
 */
export class RunRecorder {
  readonly #dependencies: RunRecorderDependencies;
  readonly #watched = new Map<string, Watched>();

  constructor(dependencies: RunRecorderDependencies) {
    this.#dependencies = dependencies;
  }

  /** What it remembers of the log is read again: another process may have recorded runs meanwhile. */
  forget(): void {
    this.#watched.clear();
  }

  /** Records what has begun or ended by now, oldest first. @throws StoreUnavailableError; the next call goes on. */
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

/** When the first of the newest versions was published that all have the board and make its runs known. */
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
