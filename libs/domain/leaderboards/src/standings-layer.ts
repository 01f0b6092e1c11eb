import { ZERO } from '@laurel/amounts';
import type { Day } from '@laurel/calendar';
import type { LeaderboardsPlan, PlannedRun, RunContribution } from '@laurel/contributions';
import { contributionsOf, leaderboardsPlanOf, receivedContributions, runKeyOf, runNameOf } from '@laurel/contributions';
import type {
  BoardOutcome,
  BoardsApplied,
  BoardsCorrected,
  BoardsCorrection,
  BoardsLayer,
  Configuration,
  ConfiguredNames,
  Contributions,
  ContributionsLayer,
  EffectList,
  LeaderboardsAnswer,
  MissingRuns,
  Occasion,
  RankChanged,
  Row,
  Rows,
  RunKey,
  ViewRequest,
  Subject,
} from '@laurel/kernel';
import { ContributedRows } from './contributed-rows.ts';
import { correctedRuns, correctStandings } from './correct-standings.ts';
import { countRows, finalRunChangeRows, standingRows, type MoveContext, type StandingsBefore } from './moved-rows.ts';
import type { PreImages } from './rules/committed-run.ts';
import { finalRuns, moveStandings } from './rules/leaderboards.ts';
import { rankOf } from './rules/run-standings.ts';
import type { UserRuns } from './rules/run-values.ts';
import type { Standing } from './rules/standing.ts';
import { viewedBoards, type ViewedBoard } from './rules/viewed-boards.ts';
import type { HeldRun, RunMemory } from './run-memory.ts';
import { runTopRows } from './run-tops.ts';
import { FINAL_RUN_CHANGES, RANK_CHANGES, rankChangeRow, RUN_COUNTS, STANDINGS } from './tables.ts';

/** Most runs that a correction loads at a time. Its changes stay in memory until the commit. */
const RUNS_AT_A_TIME = 8;

interface Moves {
  readonly before: StandingsBefore;
  readonly changes: readonly RankChanged[];
  /** The final runs among the changed ones. */
  readonly final: readonly PlannedRun[];
}

/**
 * The changes of one batch. They are made directly in the runs in memory, where higher layers see them. The earlier
 * standings are kept, to show the committed state until this layer is committed, and to undo the layer if the commit
 * fails.
 */
export class StandingsLayer implements BoardsLayer, ContributionsLayer {
  readonly #memory: RunMemory;
  /** The open layers, lowest first; shared by all of them. */
  readonly #layers: StandingsLayer[];
  /** Whether events make rows of standings; if not, changed runs are marked as unstored. */
  readonly #storesEvents: boolean;
  readonly #preImages = new Map<HeldRun, Map<Subject, Standing | undefined>>();
  #state: 'open' | 'published' | 'discarded' = 'open';

  constructor(memory: RunMemory, layers: StandingsLayer[], storesEvents: boolean) {
    this.#memory = memory;
    this.#layers = layers;
    this.#storesEvents = storesEvents;
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

  apply(
    occasion: Occasion,
    configuration: Configuration,
    out: EffectList,
    wantsAnswer: boolean,
  ): BoardsApplied | MissingRuns {
    this.#assertTop();
    const contributions = contributionsOf(occasion, leaderboardsPlanOf(configuration), out.effects);
    const applied = this.#apply(contributions, occasion, configuration, wantsAnswer ? occasion.user.day : null);
    if (!('missing' in applied)) out.add(applied.changes);
    return applied;
  }

  contribute(contributions: Contributions, configuration: Configuration): BoardsApplied | MissingRuns {
    this.#assertTop();
    const day = contributions.answer?.day ?? null;
    return this.#apply(receivedContributions(contributions, configuration), contributions, configuration, day);
  }

  correct(
    correction: BoardsCorrection,
    configuration: Configuration,
    out: EffectList,
    from: number,
  ): BoardsCorrected | MissingRuns {
    this.#assertTop();
    const { occasion, changesFinalRuns } = correction;
    const [before, after] = [correction.before as UserRuns, correction.after as UserRuns];
    const all = correctedRuns(before, after, occasion.occurredAt, changesFinalRuns);
    const runs = all.slice(from, from + RUNS_AT_A_TIME);
    const keys = runs.map(({ key }) => key);
    const missing = this.#missingOf(keys);
    if (missing.length > 0) return { missing };
    const touched = new Map<HeldRun, Standing | undefined>();
    const standingOf = ({ key, name }: PlannedRun) => this.#memory.find(key, name)?.standings.get(occasion.subject);
    const standingsOf = ({ key, name }: PlannedRun) => {
      const held = this.#memory.open(key, name);
      touched.set(held, this.#keepStanding(held, occasion.subject));
      return held.standings;
    };
    const changes = correctStandings(runs, after, occasion, { standingOf, standingsOf });
    out.add(changes);
    this.#memory.release(keys);
    const next = from + RUNS_AT_A_TIME;
    const moves = { before: touched, changes, final: finalRuns(runs, occasion) };
    return { rows: this.#rows(moves, occasion, configuration.names)(), next: next < all.length ? next : null };
  }

  /** @param answerDay the day whose runs the answer part shows, or null if no answer part is wanted */
  #apply(
    contributions: readonly RunContribution[],
    cause: MoveContext,
    configuration: Configuration,
    answerDay: Day | null,
  ): BoardsApplied | MissingRuns {
    if (contributions.length === 0)
      return { answerPart: answerDay === null ? null : NO_BOARDS, changes: NO_RANKS, rows: NO_ROWS };
    if (!this.#areKnown(contributions)) return { missing: this.#missingOf(contributions.map(({ run }) => run.key)) };
    const { before, changes } = this.#move(contributions, cause);
    const plan = leaderboardsPlanOf(configuration);
    const answerPart = answerDay === null ? null : this.#sectionOf(changes, answerDay, plan);
    const tops = runTopRows(changes, cause, plan, ({ key, name }) => this.#memory.open(key, name).standings);
    const final = finalRuns(
      contributions.map(({ run }) => run),
      cause,
    );
    const rows = this.#rows({ before, changes, final }, cause, configuration.names);
    return new ContributedRows(answerPart, changes, rows, tops);
  }

  /** Makes the rows of changes on demand. Marks the runs whose standings are stored later. */
  #rows(
    { before, changes, final }: Moves,
    cause: MoveContext,
    names: ConfiguredNames,
  ): () => Map<string, readonly Row[]> {
    const storesEvents = this.#storesEvents;
    if (!storesEvents) for (const run of before.keys()) run.isUnstored = true;
    return () => {
      const rows = new Map<string, readonly Row[]>();
      const counts = countRows(before, cause);
      const late = finalRunChangeRows(before, cause, final);
      if (storesEvents) rows.set(STANDINGS, standingRows(before, cause));
      rows.set(
        RANK_CHANGES,
        changes.map((change) => rankChangeRow(cause, change, names)),
      );
      if (counts.length > 0) rows.set(RUN_COUNTS, counts);
      if (late.length > 0) rows.set(FINAL_RUN_CHANGES, late);
      return rows;
    };
  }

  view(request: ViewRequest, configuration: Configuration): LeaderboardsAnswer | MissingRuns {
    const viewed = viewedBoards(request, configuration);
    const missing = this.#missingOf(viewed.map((one) => keyOf(configuration, one)));
    if (missing.length > 0) return { missing };
    const boards = viewed.map((one): BoardOutcome => {
      const { key, maxParticipants } = one.board;
      const standings = this.#memory.find(keyOf(configuration, one))?.standings;
      const rank = rankOf(standings?.aheadOf(request.subject) ?? null, maxParticipants);
      const threshold = standings?.threshold(maxParticipants) ?? ZERO;
      return { key, runStart: one.run.start, runEnd: one.run.end, previousRank: rank, rank, threshold };
    });
    return { boards };
  }

  publish(): void {
    this.#assertOpen();
    if (this.#layers[0] !== this) throw new Error('layers must be published in the order in which they were opened');
    this.#layers.shift();
    this.#close('published');
  }

  /** Discards the layers above as well. Discarding those again is harmless. */
  discard(): void {
    if (this.#state === 'discarded') return;
    this.#assertOpen();
    while (this.isOpen) this.#layers.pop()?.undo();
  }

  /** Called only by this layer and a layer below it. */
  undo(): void {
    for (const [held, standings] of this.#preImages) {
      for (const [subject, standing] of standings) held.standings.put(subject, standing);
    }
    this.#close('discarded');
  }

  #areKnown(contributions: readonly RunContribution[]): boolean {
    for (const { run } of contributions) if (!this.#memory.isKnown(run.key, run.name)) return false;
    return true;
  }

  #missingOf(runs: readonly RunKey[]): readonly RunKey[] {
    const missing = runs.filter((run) => !this.#memory.isKnown(run));
    if (missing.length === 0) return missing;
    // Keep all runs: loading the missing ones must not drop the others.
    this.#memory.want(runs);
    return [...new Map(missing.map((run) => [runNameOf(run), run])).values()];
  }

  #sectionOf(changes: readonly RankChanged[], day: Day, plan: LeaderboardsPlan): LeaderboardsAnswer {
    return { boards: changes.flatMap((change) => this.#outcomeOf(change, day, plan)) };
  }

  /** @returns the changes, and the user's earlier standings in the changed runs. @throws if a run is missing */
  #move(contributions: readonly RunContribution[], cause: MoveContext): Omit<Moves, 'final'> {
    const { subject } = cause;
    const before = new Map<HeldRun, Standing | undefined>();
    try {
      const standingsOf = ({ key, name }: PlannedRun) => {
        const held = this.#memory.open(key, name);
        if (!before.has(held)) before.set(held, this.#keepStanding(held, subject));
        return held.standings;
      };
      return { before, changes: moveStandings(contributions, cause, standingsOf) };
    } catch (error) {
      for (const [held, standing] of before) held.standings.put(subject, standing);
      throw error;
    }
  }

  /** Returns the user's present standing, and saves it if this layer has not changed it before. */
  #keepStanding(held: HeldRun, subject: Subject): Standing | undefined {
    const standing = held.standings.get(subject);
    const kept = this.#preImages.get(held) ?? this.#touch(held);
    if (!kept.has(subject)) kept.set(subject, standing);
    return standing;
  }

  /** The answer shows the event's own changes in the runs of its date. */
  #outcomeOf(change: RankChanged, day: Day, { boards }: LeaderboardsPlan): readonly BoardOutcome[] {
    const { previousRank, rank } = change;
    const board = boards.find(({ key }) => key === change.board);
    const run = board?.runOn(day);
    if (change.due || board === undefined || run?.day !== change.run) return [];
    const threshold = this.#memory.open(run.key, run.name).standings.threshold(board.maxParticipants);
    return [{ key: board.key, runStart: run.start, runEnd: run.end, previousRank, rank, threshold }];
  }

  #close(state: 'published' | 'discarded'): void {
    this.#state = state;
    this.#memory.layerClosed(this.#preImages.keys());
    this.#preImages.clear();
  }

  #touch(held: HeldRun): Map<Subject, Standing | undefined> {
    const kept = new Map<Subject, Standing | undefined>();
    this.#preImages.set(held, kept);
    held.touchedBy++;
    return kept;
  }

  #assertOpen(): void {
    if (!this.isOpen) throw new Error(`the layer was ${this.#state}`);
  }

  #assertTop(): void {
    this.#assertOpen();
    if (this.#layers.at(-1) !== this) throw new Error('a layer must not be written while another lies above it');
  }
}

const NO_BOARDS: LeaderboardsAnswer = { boards: [] };
const NO_RANKS: readonly RankChanged[] = [];
const NO_ROWS: Rows = new Map();

const keyOf = (configuration: Configuration, { board, run }: ViewedBoard): RunKey =>
  runKeyOf(configuration, board.key, run);
