import type { Instant, LocalDate } from '@laurel/calendar';
import {
  IMPORT_IDLE_MS,
  StoreUnavailableError,
  type AreaName,
  type Attribution,
  type HashedAttribute,
  type UserCommand,
  type ConfigurationHistory,
  type CorrectionRecorded,
  type DamagedState,
  type ImportOptions,
  type CommandResult,
  type UserRef,
} from '@laurel/kernel';
import type { Clock, ImportProgress, Intake, OpenedImport, SubmitOptions } from '@laurel/ports';
import type { EventLog, UsedKey } from '@laurel/event-store';
import { turnRecorder } from '../due/turn-recorder.ts';
import { SWEEP_EVERY_MS, USERS_PER_SWEEP } from '../due/sweep-timer.ts';
import { userKey, type UserAreaName } from '../folding/document.ts';
import type { CompileHistory, RecordedPublication } from '../folding/publications.ts';
import type { UserEvents } from '../folding/user-events.ts';
import type { Rebuild } from '../rebuild/rebuild.ts';
import type { RebuildDifference } from '../rebuild/rebuild-comparison.ts';
import type { BatchStore, Checkpoint } from '../storage/batch-store.ts';
import { BatchCycle } from './batch-cycle.ts';
import type { Chain } from './chain.ts';
import { checkpointsAt } from './checkpoints.ts';
import { CommandIntake } from './command-intake.ts';
import { Committed, type CommittedBounds } from './committed.ts';
import { CorrectionPreviews, type PreviewedCorrection } from './correction-previews.ts';
import type { CorrectionReads } from './document-at-folds.ts';
import { ImportSessions } from './import-sessions.ts';
import type { EngineTask, InternalCommand, RecordAccountEvent } from './internal-command.ts';
import { LiveRebuild } from './live-rebuild.ts';
import { openExecutor } from './open-executor.ts';
import { Quarantine } from './quarantine.ts';
import { DEFAULT_QUEUE_BOUNDS } from './queue-budget.ts';
import type { RecentEvents } from './recent-events.ts';
import { refused } from './refused.ts';
import { restore } from './restore.ts';
import type { QueueOptions, QueueState } from './queue-owner.ts';
import { SingleWriterQueue } from './single-writer-queue.ts';
import { Sweeper, type SweeperOptions } from './sweeper.ts';

export interface EngineOptions extends QueueOptions, SweeperOptions, CommittedBounds {
  /** An import without commands for this long is closed. */
  readonly importIdleMs: number;
}

export const DEFAULT_ENGINE_OPTIONS: EngineOptions = {
  ...DEFAULT_QUEUE_BOUNDS,
  maxBatch: 1_000,
  maxRows: 20_000,
  waitLimitMs: 10_000,
  cachedUserBytes: 128 * 1024 * 1024,
  cachedKeyBytes: 32 * 1024 * 1024,
  importIdleMs: IMPORT_IDLE_MS,
  sweepEveryMs: SWEEP_EVERY_MS,
  sweepStep: USERS_PER_SWEEP,
};

/** Most damaged users that a status names. */
const SHOWN_DAMAGED = 20;

/** The engine's external dependencies. */
export interface EngineDependencies {
  readonly store: BatchStore;
  readonly log: EventLog;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly userEvents: UserEvents;
  readonly newEventId: (at: Instant) => string;
  /** The local date of each original event, in its user's time zone of that time. */
  readonly originalDates: (keys: readonly UsedKey[]) => Promise<readonly LocalDate[]>;
  readonly compileHistory: CompileHistory;
  /** Opens a rebuild of these areas. */
  readonly openRebuild: (areas: readonly AreaName[]) => Promise<Rebuild>;
  readonly onQueueState: (state: QueueState, error: unknown) => void;
  /** Receives committed events, for a reader that follows the log. */
  readonly recentEvents?: Pick<RecentEvents, 'add'>;
  /** Called after a commit with its number of commands and its duration in milliseconds. */
  readonly onCommitted?: (commands: number, ms: number) => void;
  /** Called when a sweep failed; the next sweep tries again. */
  readonly onSweepFailure: (error: unknown) => void;
  /**
   * Called when a user is erased, or when something arrives for an erased user: forget the user's identity in memory.
   */
  readonly onErased?: (user: UserRef) => void;
  /** Called once for each user with unreadable state, until the state is readable again. */
  readonly onDamagedState: (damage: DamagedState, error: unknown) => void;
}

/** The engine's state, for health checks and operators. */
export interface EngineStatus {
  readonly queue: QueueState;
  /** Number of commands taken in but not answered yet. */
  readonly waiting: number;
  /** Encoded size of those commands. */
  readonly waitingBytes: number;
  /** How long commands have waited while none was answered. */
  readonly stalledMs: number;
  readonly head: number;
  readonly areas: readonly (Checkpoint & { readonly area: AreaName })[];
  /** Number of known damaged users, and the ones found last. */
  readonly damagedUsers: number;
  readonly damaged: readonly DamagedState[];
  /** Time since everything due was last settled. */
  readonly sweepLagMs: number;
  /** How long sweeps have been failing; 0 if the last one succeeded. */
  readonly sweepsFailingMs: number;
}

/**
 * The projection engine of a process that runs the whole chain: records commands, applies them to the areas, commits
 * both together, and answers with the effects.
 */
export class Engine implements Intake {
  readonly #dependencies: EngineDependencies;
  readonly #committed: Committed;
  readonly #quarantine: Quarantine;
  readonly #previews: CorrectionPreviews;
  readonly #queue: SingleWriterQueue<EngineTask>;
  readonly #commands: CommandIntake;
  readonly #imports: ImportSessions;
  readonly #sweeper: Sweeper;
  readonly #rebuilds: LiveRebuild;

  private constructor(dependencies: EngineDependencies, options: EngineOptions) {
    const { clock, chain, log, newEventId, onSweepFailure } = dependencies;
    this.#dependencies = dependencies;
    this.#committed = new Committed(options);
    this.#quarantine = new Quarantine(clock, dependencies.onDamagedState);
    const kept = { committed: this.#committed, quarantine: this.#quarantine };
    const historyOf = (account: string) => this.historyOf(account);
    this.#previews = new CorrectionPreviews({ ...dependencies, ...kept, historyOf });
    const executor = openExecutor({ ...dependencies, ...kept });
    this.#queue = new SingleWriterQueue(new BatchCycle({ ...dependencies, ...kept, executor }), clock, options);
    const goesOn = (account: string, at: Instant) => this.#imports.goesOn(account, at);
    this.#commands = new CommandIntake(clock, this.#queue, newEventId, goesOn);
    const submit = (command: InternalCommand) => this.#commands.submitInternal(command);
    const imports = { clock, committed: this.#committed, submit, onFailure: onSweepFailure };
    this.#imports = new ImportSessions(imports, options.importIdleMs);
    const record = this.recordAccountEvent.bind(this);
    const runs = turnRecorder({ log, boards: chain.boards, clock, configurations: historyOf, record });
    const recordRuns = (account: string) => runs.recordDue(account);
    this.#sweeper = new Sweeper({ ...dependencies, ...kept, submit, recordRuns }, options);
    this.#rebuilds = new LiveRebuild({
      ...dependencies,
      queue: this.#queue,
      ...kept,
      withoutMarking: (task) => this.#sweeper.withoutMarking(task),
      onUnknown: (error) => dependencies.onQueueState('fenced', error),
    });
  }

  /**
   * Restores the state from the store, and lets stopped areas try again.
   * @throws StaleReadModelsError if the stored state of an area belongs to another log or another release.
   */
  static async start(
    dependencies: EngineDependencies,
    accounts: readonly string[],
    options: EngineOptions = DEFAULT_ENGINE_OPTIONS,
  ): Promise<Engine> {
    const engine = new Engine(dependencies, options);
    const historyOf = (account: string) => engine.historyOf(account);
    await restore({ ...dependencies, committed: engine.#committed, historyOf }, accounts);
    engine.#imports.begin();
    engine.#sweeper.begin();
    return engine;
  }

  submit(commands: readonly UserCommand[], options?: SubmitOptions): Promise<readonly CommandResult[]> {
    return this.#commands.submit(commands, options);
  }

  openImport(account: string, options: ImportOptions, attribution: Attribution = {}): Promise<OpenedImport> {
    return this.#imports.open(account, options, attribution);
  }

  async finishImport(account: string, attribution: Attribution = {}): Promise<{ readonly closed: boolean }> {
    return { closed: await this.#imports.close(account, 'finished', attribution) };
  }

  /** Publishes a document as the account's next configuration version. The caller has validated it. */
  async publishConfiguration(
    account: string,
    document: unknown,
    attribution: Attribution = {},
    attributeHashes?: readonly HashedAttribute[],
  ): Promise<ConfigurationHistory> {
    const hashes = attributeHashes === undefined ? {} : { attributeHashes };
    const command = { type: 'PublishConfiguration', account, document, attribution, ...hashes } as const;
    if ((await this.#commands.submitInternal(command)).kind !== 'recorded')
      throw new StoreUnavailableError('the configuration could not be published: the event store cannot be written to');
    return this.historyOf(account);
  }

  /**
   * Records an event of the account as of that instant: a key was created or revoked, a webhook changed, a request for points decided.
   * @throws StoreUnavailableError if recording failed
   */
  async recordAccountEvent(account: string, event: RecordAccountEvent['event'], at: Instant): Promise<void> {
    const outcome = await this.#commands.submitInternal({ type: 'RecordAccountEvent', account, event, at });
    if (outcome.kind !== 'recorded') throw new StoreUnavailableError(`the event ${event.type} could not be recorded`);
  }

  /** Computes the result that a correction would have now; see {@link CorrectionPreviews.preview}. */
  previewCorrection(
    account: string,
    correction: CorrectionRecorded,
    reads?: CorrectionReads,
  ): Promise<PreviewedCorrection> {
    return this.#previews.preview(account, correction, reads);
  }

  /**
   * Corrects events of a user. First folds all events of the user outside the queue; in the queue, only adds what was
   * recorded meanwhile. Besides the reasons for any command, it may be refused for `unknown_user`, `erased`,
   * `unknown_event`, `unknown_metric`, `too_many_awards`, `import_open`, `area_stopped`, or `corrected_meanwhile` if
   * another correction of the user came first.
   * @param latest position of the user's last correction that the caller knows; 0 if it knows none; undefined to accept
   * any
   */
  async correct(account: string, correction: CorrectionRecorded, latest?: number): Promise<CommandResult> {
    const folds = await this.#previews.beforeAndAfter(account, correction);
    if (latest !== undefined && folds.corrected !== latest) return refused('corrected_meanwhile', null);
    const { subject } = correction;
    return this.#commands.submitInternal({ type: 'CorrectUser', account, subject, correction, folds });
  }

  /** Settles everything due by now; see {@link Sweeper}. */
  sweep(): Promise<void> {
    return this.#sweeper.sweep();
  }

  /** Rebuilds from the log while the engine goes on; see {@link LiveRebuild.run}. */
  rebuild(
    asked: readonly AreaName[],
    onProgress: (applied: number, head: number) => void = () => undefined,
  ): Promise<void> {
    return this.#rebuilds.run(asked, onProgress);
  }

  /** Rebuilds from the log and compares, while the engine goes on; see {@link LiveRebuild.compare}. */
  compareRebuild(
    asked: readonly AreaName[],
    onProgress: (applied: number, head: number) => void = () => undefined,
  ): Promise<readonly RebuildDifference[]> {
    return this.#rebuilds.compare(asked, onProgress);
  }

  /** The areas that {@link rebuild} would rebuild. @throws NotRebuildableError if a stopped area is not among them. */
  areasToRebuild(asked: readonly AreaName[]): readonly AreaName[] {
    return this.#rebuilds.areas(asked);
  }

  /** The configurations of an account. @throws Error if none was ever published. */
  historyOf(account: string): ConfigurationHistory {
    const history = this.#committed.accounts.get(account)?.history;
    if (!history) throw new Error(`account ${account} has no configuration yet`);
    return history;
  }

  /** The committed state of an area of a user, or undefined if it is not in memory. Do not change it. */
  stateInMemory(user: UserRef, name: UserAreaName): unknown {
    const document = this.#committed.documents.peek(userKey(user));
    return document?.[this.#dependencies.chain.userAreas.findIndex((area) => area.name === name)];
  }

  /** Whether an import of the account is open: nothing is swept then. */
  importOpen(account: string): boolean {
    return this.#imports.isOpen(account);
  }

  importProgress(account: string): Promise<ImportProgress | null> {
    return Promise.resolve(this.#imports.progress(account));
  }

  /** Whether the log has an event of the account. Until then, a publication replaces the one before it. */
  holdsEvents(account: string): boolean {
    return this.#committed.accounts.get(account)?.holdsEvents ?? false;
  }

  /** The publications of an account, in order. A version published again appears once, in its last form. */
  publications(account: string): readonly RecordedPublication[] {
    const all = this.#committed.accounts.get(account)?.publications ?? [];
    return [...new Map(all.map((publication) => [publication.version, publication])).values()];
  }

  /** The document in force in its published form, or null if there is none. */
  publishedDocument(account: string): unknown {
    return this.#committed.accounts.get(account)?.publications.at(-1)?.document ?? null;
  }

  status(): EngineStatus {
    const { state, waiting } = this.#queue;
    return {
      queue: state,
      waiting: waiting.unanswered,
      waitingBytes: waiting.unansweredBytes,
      stalledMs: Math.round(waiting.stalledMs),
      head: this.#committed.head,
      areas: checkpointsAt(this.#dependencies.chain, this.#committed.head, this.#committed.failures),
      damagedUsers: this.#quarantine.size,
      damaged: this.#quarantine.newest(SHOWN_DAMAGED),
      sweepLagMs: Math.round(this.#sweeper.lagMs),
      sweepsFailingMs: this.#sweeper.failingMs,
    };
  }

  /** Stops taking commands, and answers those already taken. */
  async close(): Promise<void> {
    this.#imports.end();
    const swept = this.#sweeper.end();
    await this.#queue.close();
    await this.#rebuilds.settled();
    await swept;
  }
}
