import type { Instant, LocalDate } from '@laurel/calendar';
import {
  AREAS,
  IMPORT_IDLE_MS,
  isImported,
  StoreUnavailableError,
  type AreaName,
  type Attribution,
  type Command,
  type ConfigurationHistory,
  type CorrectionRecorded,
  type DamagedState,
  type ImportClosed,
  type ImportOptions,
  type KeyFact,
  type Outcome,
  type Refused,
  type UserRef,
  type WebhookChanged,
} from '@laurel/kernel';
import {
  interrupts,
  type Clock,
  type CommandStream,
  type ImportProgress,
  type Intake,
  type OpenedImport,
  type SubmitOptions,
} from '@laurel/ports';
import type { EventLog, UsedKey } from '@laurel/event-store';
import type { BatchStore, Checkpoint, CommitBatch, InboxMessage } from '../storage/batch-store.ts';
import { openingOf } from './account.ts';
import { Batch, type Failure } from './batch.ts';
import { catchUp } from './catch-up.ts';
import type { Chain } from './chain.ts';
import { LoadError } from '../folding/with-runs.ts';
import { userKey, type UserAreaName } from '../folding/document.ts';
import type { UserEvents } from '../folding/user-events.ts';
import { internalCommandBytes } from './command-bytes.ts';
import { Committed, type CommittedBounds } from './committed.ts';
import { DamagedStateError } from '../folding/damaged-state.ts';
import type { UserReads } from './document-at-folds.ts';
import { BatchExecutor } from './batch-executor.ts';
import { CorrectionPreviews, type PreviewedCorrection } from './correction-previews.ts';
import { usersOf, type EngineTask, type InternalCommand, type RecordAccountEvent } from './internal-command.ts';
import {
  SingleWriterQueue,
  type DecideOptions,
  type QueueOptions,
  type QueueOwner,
  type QueueState,
} from './single-writer-queue.ts';
import { refused } from './refused.ts';
import { Quarantine } from './quarantine.ts';
import { DEFAULT_QUEUE_BOUNDS } from './queue-budget.ts';
import { publicationsIn, type CompileHistory, type Publication } from '../folding/publications.ts';
import type { Rebuild } from '../rebuild/rebuild.ts';
import type { RecentEvents } from './recent-events.ts';
import type { RebuildDifference } from '../rebuild/rebuild-comparison.ts';
import { storedChanges } from './stored-changes.ts';
import { RunRecorder } from '../due/run-recorder.ts';
import { SWEEP_EVERY_MS, USERS_PER_SWEEP } from '../due/sweep-timer.ts';
import { LiveRebuild } from './live-rebuild.ts';
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

/** What an account is restored from: sweeps, of which there may be very many, say nothing of it. */
const RESTORED_TYPES = [
  'ConfigurationPublished',
  'ImportOpened',
  'ImportClosed',
  'ApiKeyCreated',
  'ApiKeyRevoked',
  'WebhookChanged',
  'LeaderboardRunStarted',
  'LeaderboardRunEnded',
] as const;

/** What the engine needs of the world. */
export interface EngineParts {
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
export class Engine implements Intake, QueueOwner<EngineTask> {
  readonly #parts: EngineParts;
  readonly #options: EngineOptions;
  readonly #committed: Committed;
  readonly #quarantine: Quarantine;
  readonly #executor: BatchExecutor;
  readonly #previews: CorrectionPreviews;
  readonly #queue: SingleWriterQueue<EngineTask>;
  readonly #sweeper: Sweeper;
  readonly #rebuilds: LiveRebuild;
  readonly #lastImported = new Map<string, Instant>();
  #sequence = 0;
  #stopIdleCheck = (): void => undefined;

  private constructor(parts: EngineParts, options: EngineOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#committed = new Committed(options);
    this.#quarantine = new Quarantine(parts.clock, parts.onDamagedState);
    const kept = { committed: this.#committed, quarantine: this.#quarantine };
    this.#executor = new BatchExecutor({ ...parts, ...kept });
    this.#previews = new CorrectionPreviews({ ...parts, ...kept, historyOf: (account) => this.historyOf(account) });
    this.#queue = new SingleWriterQueue(this, parts.clock, options);
    const submit = async (command: InternalCommand) => (await this.#submit([command], true))[0] as Outcome;
    const runs = new RunRecorder({
      ...{ log: parts.log, boards: parts.chain.boards, clock: parts.clock },
      configurations: (account) => this.historyOf(account),
      record: (account, fact, at) => this.#recordAccountEvent(account, fact, at),
    });
    this.#sweeper = new Sweeper(
      { ...parts, ...kept, submit, recordRuns: (account) => runs.recordDue(account) },
      options,
    );
    this.#rebuilds = new LiveRebuild({
      ...parts,
      queue: this.#queue,
      ...kept,
      withoutMarking: (task) => this.#sweeper.withoutMarking(task),
      onUnknown: (error) => parts.onQueueState('fenced', error),
    });
  }

  /**
   * Restores what the store holds and lets areas that had stopped try again.
   * @throws StaleReadModelsError if what is stored of an area is not of this log or not of this release.
   */
  static async start(
    parts: EngineParts,
    accounts: readonly string[],
    options: EngineOptions = DEFAULT_ENGINE_OPTIONS,
  ): Promise<Engine> {
    const engine = new Engine(parts, options);
    await engine.#restore(accounts);
    engine.#checkIdleImports();
    engine.#sweeper.begin();
    return engine;
  }

  async submit(commands: readonly Command[], options: SubmitOptions = {}): Promise<readonly Outcome[]> {
    if (options.stream?.interrupted) return commands.map(() => refused('unavailable', null));
    const now = this.#parts.clock.now();
    for (const command of commands) if (isImported(command)) this.#lastImported.set(command.account, now);
    return this.#submit(commands, options.receiptOnly ?? false, options.stream);
  }

  async openImport(account: string, options: ImportOptions, attribution: Attribution = {}): Promise<OpenedImport> {
    this.#lastImported.set(account, this.#parts.clock.now());
    const [outcome] = await this.#submit([{ type: 'OpenImport', account, options, attribution }], true);
    if (outcome?.kind !== 'recorded') throw new StoreUnavailableError('the import could not be opened');
    return { opened: outcome.position > 0, ...options };
  }

  async finishImport(account: string, attribution: Attribution = {}): Promise<{ readonly closed: boolean }> {
    return { closed: await this.#closeImport(account, 'finished', attribution) };
  }

  /** Publishes a document as the account's next configuration version; it must have been validated. */
  async publishConfiguration(
    account: string,
    document: unknown,
    attribution: Attribution = {},
  ): Promise<ConfigurationHistory> {
    const [outcome] = await this.#submit([{ type: 'PublishConfiguration', account, document, attribution }], true);
    if (outcome?.kind !== 'recorded')
      throw new StoreUnavailableError('the configuration could not be published: the event store cannot be written to');
    return this.historyOf(account);
  }

  /** Records that a key was created or revoked at that instant. @throws StoreUnavailableError if it could not be recorded. */
  async recordKeyFact(account: string, fact: KeyFact, at: Instant): Promise<void> {
    await this.#recordAccountEvent(account, fact, at);
  }

  /** Records what was done to an endpoint of webhooks at that instant. @throws StoreUnavailableError if it could not be recorded. */
  async recordWebhookChange(account: string, fact: WebhookChanged, at: Instant): Promise<void> {
    await this.#recordAccountEvent(account, fact, at);
  }

  /** What a correction would make of its user now; see {@link CorrectionPreviews.preview}. */
  previewCorrection(account: string, correction: CorrectionRecorded, reads?: UserReads): Promise<PreviewedCorrection> {
    return this.#previews.preview(account, correction, reads);
  }

  /**
   * Corrects events of a user. The folds of all their events come first; in the queue only what was recorded since is added. Refused
   * besides for reasons of every command: `unknown_user`, `erased`, `unknown_event`, `unknown_metric`, `too_many_awards`, `import_open`, `area_stopped`, and
   * `corrected_meanwhile` if another correction of the user came first.
   * @param latest position of the user's correction that the caller has seen last; 0: none; undefined: whichever
   */
  async correct(account: string, correction: CorrectionRecorded, latest?: number): Promise<Outcome> {
    const folds = await this.#previews.foldsOf(account, correction);
    if (latest !== undefined && folds.corrected !== latest) return refused('corrected_meanwhile', null);
    const { subject } = correction;
    const [outcome] = await this.#submit([{ type: 'CorrectUser', account, subject, correction, folds }], true);
    return outcome as Outcome;
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
    return document?.[this.#parts.chain.userAreas.findIndex((area) => area.name === name)];
  }

  /** While an import of the account is open, nothing is swept. */
  importOpen(account: string): boolean {
    return (this.#committed.accounts.get(account)?.openImport ?? null) !== null;
  }

  importProgress(account: string): Promise<ImportProgress | null> {
    const openImport = this.#committed.accounts.get(account)?.openImport;
    if (!openImport) return Promise.resolve(null);
    const { at: openedAt, position, attribution, options } = openImport;
    return Promise.resolve({
      ...{ openedAt, attribution, ...options, events: this.#committed.head - position },
      lastReceivedAt: this.#lastImported.get(account) ?? openedAt,
    });
  }

  /** Whether the log holds an event of the account: until then a publication replaces the one before it. */
  holdsEvents(account: string): boolean {
    return this.#committed.accounts.get(account)?.holdsEvents ?? false;
  }

  /** What was published for an account, in order; a version that was published again is there once, as it was last. */
  publications(account: string): readonly Publication[] {
    const all = this.#committed.accounts.get(account)?.publications ?? [];
    return [...new Map(all.map((publication) => [publication.version, publication])).values()];
  }

  /** The document in force, as it was published; null if there is none yet. */
  publishedDocument(account: string): unknown {
    return this.#committed.accounts.get(account)?.publications.at(-1)?.document ?? null;
  }

  status(): EngineStatus {
    return {
      queue: this.#queue.state,
      waiting: this.#queue.waiting,
      waitingBytes: this.#queue.waitingBytes,
      stalledMs: Math.round(this.#queue.stalledMs),
      head: this.#committed.head,
      areas: this.#checkpoints(this.#committed.head, this.#committed.failures),
      damagedUsers: this.#quarantine.size,
      damaged: this.#quarantine.newest(SHOWN_DAMAGED),
      sweepLagMs: Math.round(this.#sweeper.lagMs),
      sweepsFailingMs: this.#sweeper.failingMs,
    };
  }

  /** Answers what was taken in; nothing is taken in any more. */
  async close(): Promise<void> {
    this.#stopIdleCheck();
    const swept = this.#sweeper.end();
    await this.#queue.close();
    await this.#rebuilds.settled();
    await swept;
  }

  // What the queue asks of its owner.

  openBatch(below: Batch | null): Batch {
    const boards = this.#parts.chain.boards.openLayer(below?.boards ?? null);
    const { head, failures, recordedAt } = below ?? this.#committed;
    return new Batch(head, below, boards, failures, recordedAt);
  }

  decide(batch: Batch, tasks: readonly EngineTask[], options: DecideOptions): Promise<readonly (Outcome | null)[]> {
    return this.#executor.execute(batch, tasks, options);
  }

  commit(batch: Batch): Promise<void> {
    return this.#parts.store.commitBatch(this.#commitBatch(batch, []));
  }

  isCommitted(batch: Batch): Promise<boolean> {
    return this.#parts.store.isCommitted(this.#commitBatch(batch, []));
  }

  publish(batch: Batch): void {
    this.#committed.publish(batch);
    this.#parts.recentEvents?.add(batch);
    for (const { account, fact } of batch.records)
      if (fact.type === 'UserErased') this.#parts.onErased?.({ account, subject: fact.subject });
  }

  discard(batch: Batch): void {
    batch.boards.discard();
  }

  onCommitted(commands: number, ms: number): void {
    this.#parts.onCommitted?.(commands, ms);
  }

  setsAside(error: unknown): boolean {
    if (!(error instanceof DamagedStateError)) return false;
    this.#quarantine.hold(error.user, error.area, error);
    return true;
  }

  /** A row that the database cannot read is no state of an area: nothing says whose it is but the task that asks for it. */
  refusalOf({ command, eventId }: EngineTask, error: unknown): Refused {
    const cause = error instanceof LoadError ? error.cause : error;
    if (cause instanceof StoreUnavailableError) return refused('unavailable', null);
    const [user, ...others] = usersOf(command);
    if (user === undefined || others.length > 0) return refused('rejected', eventId);
    this.#quarantine.hold(user, damagedArea(error), error);
    return this.#quarantine.refusalOf(user) ?? refused('rejected', eventId);
  }

  onStateChange(state: QueueState, error: unknown): void {
    this.#parts.onQueueState(state, error);
  }

  #submit(
    commands: readonly InternalCommand[],
    receiptOnly: boolean,
    stream?: CommandStream,
  ): Promise<readonly Outcome[]> {
    const receivedAt = this.#parts.clock.now();
    const submission = Symbol('submission');
    const { outcomes, settle: settleAt } = gathered(commands.length, stream);
    const tasks = commands.map((command, place): EngineTask => {
      const settle = (outcome: Outcome): void => settleAt(place, outcome);
      const eventId = this.#parts.newEventId(receivedAt);
      const bytes = internalCommandBytes(command);
      return { command, receivedAt, receiptOnly, submission, sequence: ++this.#sequence, settle, bytes, eventId };
    });
    const reason = this.#queue.submit(tasks);
    if (reason === null) return outcomes;
    if (stream) stream.interrupted = true;
    return Promise.resolve(commands.map(() => refused(reason, null)));
  }

  #commitBatch(batch: Batch, applied: readonly InboxMessage[]): CommitBatch {
    return {
      after: batch.after,
      records: batch.records,
      ...storedChanges(batch, this.#parts.chain),
      checkpoints: this.#checkpoints(batch.head, batch.failures),
      inbox: batch.inbox,
      applied,
    };
  }

  /** An area behind one that has stopped has come no further than that one: what it has not seen waits there. */
  #checkpoints(head: number, failures: ReadonlyMap<AreaName, Failure>): readonly (Checkpoint & { area: AreaName })[] {
    let position = head;
    return [...this.#parts.chain.userAreas, this.#parts.chain.boards].map(({ name, stateVersion }) => {
      const failure = failures.get(name);
      position = Math.min(position, failure?.position ?? position);
      return { area: name, stateVersion, position, failure: failure?.reason ?? null };
    });
  }

  async #restore(accounts: readonly string[]): Promise<void> {
    const { store, chain } = this.#parts;
    const { head, recordedAt, checkpoints } = await store.readCheckpoints();
    this.#committed.restore(head, failuresOf(checkpoints), recordedAt);
    this.#refuseStaleStates(head, checkpoints);
    for (const account of accounts) await this.#restoreAccount(account, head);
    const remaining = await catchUp(
      {
        store,
        chain,
        committed: this.#committed,
        historyOf: (account) => this.historyOf(account),
        openBatch: (failures) => new Batch(head, null, chain.boards.openLayer(null), failures),
        commit: async (batch, applied) => {
          await store.commitBatch(this.#commitBatch(batch, applied));
          this.#committed.publish(batch);
        },
      },
      this.#committed.failures,
    );
    this.#committed.restore(head, remaining, recordedAt);
  }

  #refuseStaleStates(head: number, checkpoints: ReadonlyMap<AreaName, Checkpoint>): void {
    if (head === 0) return;
    const stale = this.#checkpoints(head, failuresOf(checkpoints)).filter(({ area, position, stateVersion }) => {
      const stored = checkpoints.get(area);
      return stored?.position !== position || stored.stateVersion !== stateVersion;
    });
    if (stale.length > 0) throw new StaleReadModelsError(stale.map(({ area }) => area));
  }

  async #restoreAccount(name: string, head: number): Promise<void> {
    const facts = await this.#parts.log.readAccountFacts(name, RESTORED_TYPES);
    const publications = publicationsIn(facts);
    if (publications.length === 0) return;
    const history = this.#parts.compileHistory(name, publications);
    const bracket = facts.findLast(({ fact }) => fact.type === 'ImportOpened' || fact.type === 'ImportClosed');
    const openImport = bracket?.fact.type === 'ImportOpened' ? openingOf({ ...bracket, fact: bracket.fact }) : null;
    this.#committed.accounts.set(name, {
      name,
      publications,
      history,
      openImport,
      holdsEvents: head > facts.length,
    });
    if (openImport) this.#lastImported.set(name, this.#parts.clock.now());
  }

  async #closeImport(account: string, cause: ImportClosed['cause'], attribution: Attribution): Promise<boolean> {
    const [outcome] = await this.#submit([{ type: 'CloseImport', account, cause, attribution }], true);
    if (outcome?.kind !== 'recorded') throw new StoreUnavailableError('the import could not be closed');
    return outcome.position > 0;
  }

  async #recordAccountEvent(account: string, event: RecordAccountEvent['event'], at: Instant): Promise<void> {
    const [outcome] = await this.#submit([{ type: 'RecordAccountEvent', account, event, at }], true);
    if (outcome?.kind !== 'recorded') throw new StoreUnavailableError(`the event ${event.type} could not be recorded`);
  }

  #checkIdleImports(): void {
    const { clock } = this.#parts;
    this.#stopIdleCheck = clock.after(30_000, () => {
      for (const { name, openImport } of this.#committed.accounts.values())
        if (openImport && clock.now() - (this.#lastImported.get(name) ?? 0) >= this.#options.importIdleMs)
          this.#closeImport(name, 'idle', { by: 'process' }).catch(this.#parts.onSweepFailure);
      this.#checkIdleImports();
    });
  }
}

/**
 * The outcomes of a submission, once all are there: one promise for all of them. The stream is interrupted in the moment of a refusal:
 * the caller hears of it only after that.
 */
function gathered(count: number, stream: CommandStream | undefined) {
  const outcomes = new Array<Outcome>(count);
  let open = count;
  let resolve: (outcomes: readonly Outcome[]) => void = () => undefined;
  const settle = (place: number, outcome: Outcome): void => {
    if (stream !== undefined && interrupts(outcome)) stream.interrupted = true;
    outcomes[place] = outcome;
    if (--open === 0) resolve(outcomes);
  };
  const all = new Promise<readonly Outcome[]>((take) => (resolve = take));
  return { outcomes: count === 0 ? Promise.resolve(outcomes) : all, settle };
}

/** What is stored of these areas is not of this log or not of this release: they must be rebuilt. */
export class StaleReadModelsError extends Error {
  override readonly name = 'StaleReadModelsError';
  readonly areas: readonly AreaName[];

  constructor(areas: readonly AreaName[]) {
    super(
      `what is stored of ${areas.join(', ')} does not fit the log or this release, and must be rebuilt from the log`,
    );
    this.areas = areas;
  }
}

/** null: the row as a whole. */
function damagedArea(error: unknown): AreaName | null {
  if (error instanceof DamagedStateError) return error.area;
  return error instanceof LoadError ? 'leaderboards' : null;
}

const failuresOf = (checkpoints: ReadonlyMap<AreaName, Checkpoint>): ReadonlyMap<AreaName, Failure> =>
  new Map(
    AREAS.flatMap((area) => {
      const checkpoint = checkpoints.get(area);
      return checkpoint?.failure
        ? [[area, { position: checkpoint.position, reason: checkpoint.failure }] as const]
        : [];
    }),
  );
