import type { Instant, LocalDate } from '@laurel/calendar';
import {
  IMPORT_IDLE_MS,
  StoreUnavailableError,
  type AreaName,
  type Attribution,
  type Command,
  type ConfigurationHistory,
  type CorrectionRecorded,
  type DamagedState,
  type ImportOptions,
  type KeyEvent,
  type CommandResult,
  type UserRef,
  type WebhookChanged,
} from '@laurel/kernel';
import type { Clock, ImportProgress, Intake, OpenedImport, SubmitOptions } from '@laurel/ports';
import type { EventLog, UsedKey } from '@laurel/event-store';
import { RunRecorder } from '../due/run-recorder.ts';
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
  /** An import that sends nothing for so long is closed. */
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

/** Damaged users that a status names. */
const SHOWN_DAMAGED = 20;

/** What the engine needs of the world. */
export interface EngineDependencies {
  readonly store: BatchStore;
  readonly log: EventLog;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly userEvents: UserEvents;
  readonly newEventId: (at: Instant) => string;
  /** The date of each original event on its user's clock of that time. */
  readonly originalDates: (keys: readonly UsedKey[]) => Promise<readonly LocalDate[]>;
  readonly compileHistory: CompileHistory;
  /** The log, to be applied again for these areas. */
  readonly openRebuild: (areas: readonly AreaName[]) => Promise<Rebuild>;
  readonly onQueueState: (state: QueueState, error: unknown) => void;
  /** Takes over what is committed, for a reader that follows the log. */
  readonly recentEvents?: Pick<RecentEvents, 'add'>;
  /** A batch of so many commands is in the store; `ms`: how long that took it. */
  readonly onCommitted?: (commands: number, ms: number) => void;
  /** What fell due could not be settled; it is tried again with the next sweep. */
  readonly onSweepFailure: (error: unknown) => void;
  /** The user is erased, or something came for one who is: what is in memory of who they were is to be forgotten. */
  readonly onErased?: (user: UserRef) => void;
  /** What is stored of a user cannot be read; told once for each, until it can. */
  readonly onDamagedState: (damage: DamagedState, error: unknown) => void;
}

/** How the engine is, for health checks and operators. */
export interface EngineStatus {
  readonly queue: QueueState;
  /** Commands taken in and not yet answered. */
  readonly waiting: number;
  /** What those commands take, as they are encoded. */
  readonly waitingBytes: number;
  /** How long commands have waited without any being answered. */
  readonly stalledMs: number;
  readonly head: number;
  readonly areas: readonly (Checkpoint & { readonly area: AreaName })[];
  /** How many users are known to be damaged, and those found last. */
  readonly damagedUsers: number;
  readonly damaged: readonly DamagedState[];
  /** How long ago everything that had fallen due was last settled. */
  readonly sweepLagMs: number;
  /** For how long each sweep has failed; 0: the last one did not. */
  readonly sweepsFailingMs: number;
}

/**
 * The projection engine of a process that runs the whole chain: records commands, applies them to the areas, commits both
 * as one, and answers with what they caused.
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
    const record = (account: string, event: RecordAccountEvent['event'], at: Instant) =>
      this.#recordAccountEvent(account, event, at);
    const runs = new RunRecorder({ log, boards: chain.boards, clock, configurations: historyOf, record });
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
   * Restores what the store holds and lets areas that had stopped try again.
   * @throws StaleReadModelsError if what is stored of an area is not of this log or not of this release.
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

  submit(commands: readonly Command[], options?: SubmitOptions): Promise<readonly CommandResult[]> {
    return this.#commands.submit(commands, options);
  }

  openImport(account: string, options: ImportOptions, attribution: Attribution = {}): Promise<OpenedImport> {
    return this.#imports.open(account, options, attribution);
  }

  async finishImport(account: string, attribution: Attribution = {}): Promise<{ readonly closed: boolean }> {
    return { closed: await this.#imports.close(account, 'finished', attribution) };
  }

  /** Publishes a document as the account's next configuration version; it must have been validated. */
  async publishConfiguration(
    account: string,
    document: unknown,
    attribution: Attribution = {},
  ): Promise<ConfigurationHistory> {
    const command = { type: 'PublishConfiguration', account, document, attribution } as const;
    if ((await this.#commands.submitInternal(command)).kind !== 'recorded')
      throw new StoreUnavailableError('the configuration could not be published: the event store cannot be written to');
    return this.historyOf(account);
  }

  /** Records that a key was created or revoked at that instant. @throws StoreUnavailableError if it could not be recorded. */
  async recordKeyEvent(account: string, fact: KeyEvent, at: Instant): Promise<void> {
    await this.#recordAccountEvent(account, fact, at);
  }

  /** Records what was done to an endpoint of webhooks at that instant. @throws StoreUnavailableError if it could not be recorded. */
  async recordWebhookChange(account: string, fact: WebhookChanged, at: Instant): Promise<void> {
    await this.#recordAccountEvent(account, fact, at);
  }

  /** What a correction would make of its user now; see {@link CorrectionPreviews.preview}. */
  previewCorrection(
    account: string,
    correction: CorrectionRecorded,
    reads?: CorrectionReads,
  ): Promise<PreviewedCorrection> {
    return this.#previews.preview(account, correction, reads);
  }

  /**
   * Corrects events of a user. The folds of all their events come first; in the queue only what was recorded since is added. Refused
   * besides for reasons of every command: `unknown_user`, `erased`, `unknown_event`, `unknown_metric`, `too_many_awards`, `import_open`, `area_stopped`, and
   * `corrected_meanwhile` if another correction of the user came first.
   * @param latest position of the user's correction that the caller has seen last; 0: none; undefined: whichever
   */
  async correct(account: string, correction: CorrectionRecorded, latest?: number): Promise<CommandResult> {
    const folds = await this.#previews.beforeAndAfter(account, correction);
    if (latest !== undefined && folds.corrected !== latest) return refused('corrected_meanwhile', null);
    const { subject } = correction;
    return this.#commands.submitInternal({ type: 'CorrectUser', account, subject, correction, folds });
  }

  /** Settles what fell due by now; see {@link Sweeper}. */
  sweep(): Promise<void> {
    return this.#sweeper.sweep();
  }

  /** Applies the log again while everything goes on; see {@link LiveRebuild.run}. */
  rebuild(
    asked: readonly AreaName[],
    onProgress: (applied: number, head: number) => void = () => undefined,
  ): Promise<void> {
    return this.#rebuilds.run(asked, onProgress);
  }

  /** Applies the log again and compares while everything goes on; see {@link LiveRebuild.compare}. */
  compareRebuild(
    asked: readonly AreaName[],
    onProgress: (applied: number, head: number) => void = () => undefined,
  ): Promise<readonly RebuildDifference[]> {
    return this.#rebuilds.compare(asked, onProgress);
  }

  /** What {@link rebuild} would rebuild. @throws NotRebuildableError if an area that has stopped would be left out. */
  areasToRebuild(asked: readonly AreaName[]): readonly AreaName[] {
    return this.#rebuilds.areas(asked);
  }

  /** The configurations of an account. @throws Error if none was ever published. */
  historyOf(account: string): ConfigurationHistory {
    const history = this.#committed.accounts.get(account)?.history;
    if (!history) throw new Error(`account ${account} has no configuration yet`);
    return history;
  }

  /** The state of an area of a user as it is committed, if it is in memory; undefined: it is not. Not to be written. */
  stateInMemory(user: UserRef, name: UserAreaName): unknown {
    const document = this.#committed.documents.peek(userKey(user));
    return document?.[this.#dependencies.chain.userAreas.findIndex((area) => area.name === name)];
  }

  /** While an import of the account is open, nothing is swept. */
  importOpen(account: string): boolean {
    return this.#imports.isOpen(account);
  }

  importProgress(account: string): Promise<ImportProgress | null> {
    return Promise.resolve(this.#imports.progress(account));
  }

  /** Whether the log holds an event of the account: until then a publication replaces the one before it. */
  holdsEvents(account: string): boolean {
    return this.#committed.accounts.get(account)?.holdsEvents ?? false;
  }

  /** What was published for an account, in order; a version that was published again is there once, as it was last. */
  publications(account: string): readonly RecordedPublication[] {
    const all = this.#committed.accounts.get(account)?.publications ?? [];
    return [...new Map(all.map((publication) => [publication.version, publication])).values()];
  }

  /** The document in force, as it was published; null if there is none yet. */
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

  /** Answers what was taken in; nothing is taken in any more. */
  async close(): Promise<void> {
    this.#imports.end();
    const swept = this.#sweeper.end();
    await this.#queue.close();
    await this.#rebuilds.settled();
    await swept;
  }

  async #recordAccountEvent(account: string, event: RecordAccountEvent['event'], at: Instant): Promise<void> {
    const outcome = await this.#commands.submitInternal({ type: 'RecordAccountEvent', account, event, at });
    if (outcome.kind !== 'recorded') throw new StoreUnavailableError(`the event ${event.type} could not be recorded`);
  }
}
