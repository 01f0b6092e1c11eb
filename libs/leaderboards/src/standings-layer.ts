import { ZERO } from '@laurel/amounts';
import type {
  BoardOutcome,
  Occasion,
  Sink,
  BoardsLayer,
  ChainMessage,
  Configuration,
  LeaderboardsSection,
  Row,
  Rows,
  RunKey,
  ViewRequest,
} from '@laurel/contracts';
import { applyContributions, changesValue, type ValueChange } from './rules/apply-contributions.ts';
import type { PreImages } from './rules/committed-run.ts';
import { contributionsOf, sectionOf, type Contribution } from './rules/contributions.ts';
import { contributionsOf as runContributionsOf, type LeaderboardsPlan, type PlannedRun } from './rules/leaderboards.ts';
import { moveStandings } from './rules/move-standings.ts';
import { rankOf, type RunStandings } from './rules/run-standings.ts';
import type { Standing } from './rules/standing.ts';
import { viewedBoards, type ViewedBoard } from './rules/viewed-boards.ts';
import type { HeldRun, RunMemory } from './run-memory.ts';
import { runNameOf } from './run-names.ts';
import { RANK_CHANGES, rankChangeRow, STANDINGS, standingRow } from './tables.ts';

interface Placed extends Contribution {
  readonly held: HeldRun;
  readonly standings: RunStandings;
}

/**
 * One batch's changes. They are made in the runs in memory, where the layers above find them, and the standings before
 * them are kept: to show what is committed until this layer is, and to undo the layer if it will never be.
 */
export class StandingsLayer implements BoardsLayer {
  readonly #memory: RunMemory;
  /** The open layers, lowest first; shared by all of them. */
  readonly #layers: StandingsLayer[];
  readonly #preImages = new Map<HeldRun, Map<string, Standing | undefined>>();
  #state: 'open' | 'published' | 'discarded' = 'open';
  #latest: {
    readonly message: ChainMessage;
    readonly configuration: Configuration;
    readonly contributions: readonly Contribution[];
  } | null = null;

  constructor(memory: RunMemory, layers: StandingsLayer[]) {
    this.#memory = memory;
    this.#layers = layers;
    layers.push(this);
    memory.layerOpened();
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** The standings of a run's users directly before this layer first changed them. */
  preImagesOf(held: HeldRun): PreImages | undefined {
    return this.#preImages.get(held);
  }

  missing(message: ChainMessage | ViewRequest, configuration: Configuration): readonly RunKey[] {
    const touched =
      'record' in message ? this.#contributionsOf(message, configuration) : viewedBoards(message, configuration);
    const keys = new Map<string, RunKey>();
    for (const place of touched) {
      const key = keyOf(configuration.account, place);
      keys.set(runNameOf(key), key);
    }
    const missing = [...keys.values()].filter((key) => !this.#memory.isKnown(key));
    // Reading these may not drop the others.
    if (missing.length > 0) this.#memory.want([...keys.values()]);
    return missing;
  }

  project(message: ChainMessage, configuration: Configuration): { section: LeaderboardsSection; rows: Rows } {
    this.#assertTop();
    const { userId } = message.record.fact;
    const contributions = this.#contributionsOf(message, configuration).map((contribution): Placed => {
      const held = this.#memory.open(keyOf(configuration.account, contribution));
      return { ...contribution, held, standings: held.standings };
    });
    const before = this.#keepStandings(contributions, userId);
    try {
      return outcomeOf(message, contributions);
    } catch (error) {
      for (const [held, standing] of before) held.standings.put(userId, standing);
      throw error;
    }
  }

  /**
   * Applies an occasion after the areas before. Returns the runs that it would touch and that are not in memory: then nothing has
   * changed, and it is to be applied again once they are loaded.
   */
  apply(occasion: Occasion, plan: LeaderboardsPlan, sink: Sink): readonly RunKey[] {
    this.#assertTop();
    const contributions = runContributionsOf(occasion, plan, sink);
    if (contributions.length === 0) return NO_RUNS;
    const missing = contributions.filter(({ run }) => !this.#memory.isKnown(runKeyOf(plan, run)));
    if (missing.length > 0) {
      // Reading these may not drop the others.
      this.#memory.want(contributions.map(({ run }) => runKeyOf(plan, run)));
      return missing.map(({ run }) => runKeyOf(plan, run));
    }
    const standingsOf = (run: PlannedRun) => this.#openFor(occasion.userId, runKeyOf(plan, run));
    moveStandings(contributions, occasion, standingsOf, sink);
    return NO_RUNS;
  }

  #openFor(userId: string, key: RunKey): RunStandings {
    const held = this.#memory.open(key);
    const kept = this.#preImages.get(held) ?? this.#touch(held);
    if (!kept.has(userId)) kept.set(userId, held.standings.get(userId));
    return held.standings;
  }

  view(request: ViewRequest, configuration: Configuration): LeaderboardsSection {
    const boards = viewedBoards(request, configuration).map((viewed): BoardOutcome => {
      const { key, maxParticipants } = viewed.board;
      const standings = this.#memory.find(keyOf(configuration.account, viewed))?.standings;
      const rank = rankOf(standings?.aheadOf(request.userId) ?? null, maxParticipants);
      const threshold = standings?.threshold(maxParticipants) ?? ZERO;
      return { key, runStart: viewed.run.start, runEnd: viewed.run.end, previousRank: rank, rank, threshold };
    });
    return { boards };
  }

  publish(): void {
    this.#assertOpen();
    if (this.#layers[0] !== this) throw new Error('layers are published in the order in which they were opened');
    this.#layers.shift();
    this.#close('published');
  }

  /** Those above go with it; discarding them as well, before or after, does no harm. */
  discard(): void {
    if (this.#state === 'discarded') return;
    this.#assertOpen();
    while (this.isOpen) this.#layers.pop()?.undo();
  }

  /** Only for the layer itself and one below it. */
  undo(): void {
    for (const [held, standings] of this.#preImages) {
      for (const [userId, standing] of standings) held.standings.put(userId, standing);
    }
    this.#close('discarded');
  }

  /** The latest is remembered: `missing` is asked directly before `project`. */
  #contributionsOf(message: ChainMessage, configuration: Configuration): readonly Contribution[] {
    if (this.#latest?.message !== message || this.#latest.configuration !== configuration)
      this.#latest = { message, configuration, contributions: contributionsOf(message, configuration) };
    return this.#latest.contributions;
  }

  #close(state: 'published' | 'discarded'): void {
    this.#state = state;
    this.#memory.layerClosed(this.#preImages.keys());
    this.#preImages.clear();
  }

  /** Keeps the user's standings for this layer, and gives those before the message. */
  #keepStandings(contributions: readonly Placed[], userId: string): ReadonlyMap<HeldRun, Standing | undefined> {
    const before = new Map<HeldRun, Standing | undefined>();
    for (const { held } of contributions) {
      const standing = held.standings.get(userId);
      const kept = this.#preImages.get(held) ?? this.#touch(held);
      if (!kept.has(userId)) kept.set(userId, standing);
      before.set(held, standing);
    }
    return before;
  }

  #touch(held: HeldRun): Map<string, Standing | undefined> {
    const kept = new Map<string, Standing | undefined>();
    this.#preImages.set(held, kept);
    held.touchedBy++;
    return kept;
  }

  #assertOpen(): void {
    if (!this.isOpen) throw new Error(`the layer was ${this.#state}`);
  }

  #assertTop(): void {
    this.#assertOpen();
    if (this.#layers.at(-1) !== this) throw new Error('a layer is written only while none lies above it');
  }
}

const NO_RUNS: readonly RunKey[] = [];

const runKeyOf = ({ account }: LeaderboardsPlan, { board, start }: PlannedRun): RunKey => ({
  account,
  board: board.key,
  start,
});

function keyOf(account: string, { board, run }: ViewedBoard): RunKey {
  return { account, board: board.key, start: run.start };
}

function outcomeOf(
  message: ChainMessage,
  contributions: readonly Placed[],
): { section: LeaderboardsSection; rows: Rows } {
  const { fact, position } = message.record;
  if (contributions.length === 0) return { section: { boards: [] }, rows: new Map() };
  const { due, own } = applyContributions(contributions, fact.userId, position);
  const net = own.filter(changesValue);
  const { date } = sectionOf(message, 'users');
  const ofDate = net.filter(({ contribution: { run } }) => run.start <= date && (run.end === null || date <= run.end));
  return { section: { boards: ofDate.map(boardOutcome) }, rows: rowsOf([...due, ...own], [...due, ...net], position) };
}

function boardOutcome({
  contribution: { board, run, standings },
  previousRank,
  rank,
}: ValueChange<Placed>): BoardOutcome {
  const threshold = standings.threshold(board.maxParticipants);
  return { key: board.key, runStart: run.start, runEnd: run.end, previousRank, rank, threshold };
}

/** A standing for each run that was moved, and a rank change for each change of value. */
function rowsOf(
  moves: readonly ValueChange<Placed>[],
  changes: readonly ValueChange<Placed>[],
  position: number,
): Rows {
  const standings = new Map<HeldRun, Row>();
  for (const { contribution, after } of moves) {
    const { held } = contribution;
    standings.set(held, standingRow(held.key, held.standings.get(after.userId) ?? after));
  }
  const rankChanges = changes.map((change) => {
    const { held, at, ordinal } = change.contribution;
    return rankChangeRow(held.key, change, { at, position, ordinal });
  });
  return new Map([
    [STANDINGS, [...standings.values()]],
    [RANK_CHANGES, rankChanges],
  ]);
}
