import type { Instant } from '@laurel/calendar';
import {
  StoreUnavailableError,
  sweepUsers,
  type AccountEvent,
  type AreaName,
  type Attribution,
  type UserCommand,
  type ImportClosed,
  type ImportOptions,
  type ApiKeyEvent,
  type NewEvent,
  type NewRecord,
  type CommandResult,
  type BoostEvent,
  type RunEvent,
  type RequestDecided,
  type Subject,
  type WebhookChanged,
} from '@laurel/kernel';
import type { Clock, FinishedImport, ImportProgress, Intake, OpenedImport, SubmitOptions } from '@laurel/ports';
import { invalidRequest, ProblemError, type ServiceStatus } from '@laurel/schemas';
import {
  LogOverloadedError,
  newEventId,
  requestDecided,
  type AppendOutcome,
  type EventStore,
} from '@laurel/event-store';
import { commandBytes, DEFAULT_QUEUE_BOUNDS, QueueBudget, refused } from '@laurel/engine';
import { appendEvent } from './append-event.ts';
import { AppendProgress } from './append-progress.ts';
import { AppendedAnswers, type Appended, type AppendedAnswersDependencies } from './appended-answers.ts';
import type { DecidedCommand } from './decide-commands.ts';
import { ImportBracket, type ImportBracketDependencies } from './import-bracket.ts';
import type { Imports } from './imports.ts';
import type { ReceiptBacklog } from './receipt-backlog.ts';
import { StreamTurns } from './stream-turns.ts';

export interface GatewayIntakeDependencies extends Omit<AppendedAnswersDependencies, 'importInLog'> {
  readonly store: Pick<EventStore, 'append' | 'findKeys'>;
  /** The position of the newest record. */
  readonly logHead: () => Promise<number>;
  readonly imports: ImportBracketDependencies['imports'] & Pick<Imports, 'findOpen'>;
  /** Decides the commands of one call, see {@link decideCommands}. @throws StoreUnavailableError */
  readonly decide: (commands: readonly UserCommand[]) => Promise<readonly DecidedCommand[]>;
  /** Bounds the events that are acknowledged before they are applied. */
  readonly backlog: Pick<ReceiptBacklog, 'admit'>;
  /**
   * Waits until every area has applied the present end of the log. Returns the areas that have not within the limit.
   */
  readonly pendingNow: (limitMs: number) => Promise<readonly AreaName[]>;
  readonly clock: Clock;
}

/** A service applies a message as a whole, with all the awards that it gives. */
const NO_UNBOUNDED_AWARDS = {
  path: 'unboundedAwards',
  message: 'must be false in the distributed topology, which gives all that is owed at once',
};

/**
 * Appends to the log in the distributed topology, then waits for the results of the services. A recorded event is always answered, if need
 * be with everything still pending. A call that wants only receipts is answered after the append.
 */
export class GatewayIntake implements Intake {
  readonly counts = { recorded: 0, replayed: 0, refused: 0, pending: 0 };
  readonly #dependencies: GatewayIntakeDependencies;
  readonly #appends: AppendProgress;
  readonly #importBracket: ImportBracket;
  readonly #answers: AppendedAnswers;
  /** Commands that wait for their answers. Beyond the bounds they are refused before they are recorded. */
  readonly #waiting = new QueueBudget(DEFAULT_QUEUE_BOUNDS);
  readonly #streams = new StreamTurns();

  constructor(dependencies: GatewayIntakeDependencies) {
    this.#dependencies = dependencies;
    this.#appends = new AppendProgress(dependencies.clock);
    const appendEvent = (account: string, fact: AccountEvent) => this.#appendEvent(account, fact);
    this.#importBracket = new ImportBracket({ imports: dependencies.imports, clock: dependencies.clock, appendEvent });
    const importInLog = (account: string) => this.#importBracket.isInLog(account);
    this.#answers = new AppendedAnswers({ ...dependencies, importInLog });
  }

  /** The state of appends to the log. */
  queueState(): ServiceStatus['lane'] {
    const { state, stalledMs } = this.#appends;
    return { state, waiting: this.waiting, stalledMs: Math.round(stalledMs) };
  }

  /** Commands taken in and not yet answered. */
  get waiting(): number {
    return this.#waiting.count;
  }

  submit(
    commands: readonly UserCommand[],
    { receiptOnly = false, stream }: SubmitOptions = {},
  ): Promise<readonly CommandResult[]> {
    const take = () => this.#take(commands, receiptOnly);
    return stream === undefined ? take() : this.#streams.inTurn(stream, commands, take);
  }

  async #take(commands: readonly UserCommand[], receiptOnly: boolean): Promise<readonly CommandResult[]> {
    const bytes = bytesOf(commands);
    if (!this.#waiting.take(commands.length, bytes)) return commands.map(() => refused('overloaded', null));
    try {
      const outcomes = receiptOnly ? await this.#submitForReceipts(commands) : await this.#submit(commands, false);
      for (const outcome of outcomes) this.#count(outcome);
      return outcomes;
    } finally {
      this.#waiting.release(commands.length, bytes);
    }
  }

  async openImport(account: string, options: ImportOptions, attribution: Attribution = {}): Promise<OpenedImport> {
    if (options.unboundedAwards) throw new ProblemError(invalidRequest([NO_UNBOUNDED_AWARDS]));
    const opened = await this.#importBracket.open(account, options, attribution);
    return { opened, ...options };
  }

  /** Waits until the imported events can be read, or returns the areas in which they cannot be read yet: then call it again. */
  async finishImport(account: string, attribution: Attribution = {}): Promise<FinishedImport> {
    const closed = await this.closeImport(account, 'finished', attribution);
    const pending = await this.#dependencies.pendingNow(this.#dependencies.answerLimitMs);
    return pending.length === 0 ? { closed } : { closed, pending };
  }

  async importProgress(account: string): Promise<ImportProgress | null> {
    const { imports, logHead } = this.#dependencies;
    const open = await imports.findOpen(account);
    if (open === null) return null;
    const { openedAt, lastAt, position, by, reason, outgoing } = open;
    return {
      openedAt,
      lastReceivedAt: lastAt,
      unboundedAwards: false,
      outgoing,
      attribution: { ...(by !== null && { by }), ...(reason !== null && { reason }) },
      events: position === null ? null : Math.max(0, (await logHead()) - position),
    };
  }

  /** Returns whether an import was open. */
  closeImport(account: string, cause: ImportClosed['cause'], attribution: Attribution): Promise<boolean> {
    return this.#importBracket.close(account, cause, attribution);
  }

  /** Records a sweep of these users up to now, unless an import is open. */
  async recordSweep(account: string, subjects: readonly Subject[]): Promise<void> {
    const state = {
      now: this.#dependencies.clock.now(),
      isImporting: await this.#dependencies.imports.isOpen(account),
    };
    for (const { event } of sweepUsers({ type: 'SweepUsers', account, subjects }, state).events)
      await this.#appendEvent(account, event);
  }

  /**
   * Records that a run of a leaderboard, or a boost, began or ended at that instant. @throws StoreUnavailableError if recording
   * failed or its outcome is unknown.
   */
  async recordRun(account: string, fact: RunEvent | BoostEvent, at: Instant): Promise<void> {
    await this.#appendEvent(account, fact, at);
  }

  /**
   * Records that a key was created or revoked at that instant. @throws StoreUnavailableError if recording failed or its
   * outcome is unknown.
   */
  async recordKeyEvent(account: string, fact: ApiKeyEvent, at: Instant): Promise<void> {
    await this.#appendEvent(account, fact, at);
  }

  /**
   * Records a change of a webhook endpoint at that instant. @throws StoreUnavailableError if recording failed or its
   * outcome is unknown.
   */
  async recordWebhookChange(account: string, fact: WebhookChanged, at: Instant): Promise<void> {
    await this.#appendEvent(account, fact, at);
  }

  /**
   * Records how a request for points was decided, once, whichever process is first.
   * @throws StoreUnavailableError if it is not known to be recorded
   */
  async recordDecision(account: string, fact: RequestDecided): Promise<void> {
    const { clock, configurations, store } = this.#dependencies;
    const recordedAt = clock.now();
    const configurationVersion = configurations.historyOf(account).current.version;
    const eventId = newEventId(recordedAt);
    const [outcome] = await store.append([
      { eventId, account, configurationVersion, occurredAt: recordedAt, recordedAt, fact },
    ]);
    if (outcome?.kind === 'recorded' || outcome?.kind === 'used') return;
    throw new StoreUnavailableError('a RequestDecided could not be recorded', { cause: outcome });
  }

  async #submitForReceipts(commands: readonly UserCommand[]): Promise<readonly CommandResult[]> {
    const admission = await this.#dependencies.backlog.admit({ records: commands.length, bytes: bytesOf(commands) });
    if (admission === null) return commands.map(() => refused('overloaded', null));
    let position: number | null = null;
    try {
      const outcomes = await this.#submit(commands, true);
      position = lastPosition(outcomes);
      return outcomes;
    } finally {
      admission.settle(position);
    }
  }

  async #submit(commands: readonly UserCommand[], receiptOnly: boolean): Promise<readonly CommandResult[]> {
    let appended: readonly Appended[];
    try {
      const decided = await this.#dependencies.decide(commands);
      await this.#openImports(decided);
      appended = await this.#append(decided, receiptOnly);
    } catch (error) {
      if (error instanceof LogOverloadedError) return commands.map(() => refused('overloaded', null));
      // The error came before the append, so no command is recorded.
      if (error instanceof StoreUnavailableError) return commands.map(() => refused('unavailable', null));
      throw error;
    }
    const results = await this.#answers.answer(appended, receiptOnly);
    return Promise.all(
      results.map((result, place) => this.#withRecordedVerdict(commands[place] as UserCommand, result)),
    );
  }

  /** The answer to a request for points, whose verdict is final only once it is recorded. Leaves the verdict out if it cannot be recorded. */
  async #withRecordedVerdict({ account }: UserCommand, result: CommandResult): Promise<CommandResult> {
    const points = result.kind === 'recorded' ? result.sections.points : undefined;
    if (result.kind !== 'recorded' || points?.verdict === undefined) return result;
    try {
      await this.recordDecision(account, requestDecided(account, result, points.verdict));
      return result;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError || error instanceof LogOverloadedError)) throw error;
      const { verdict: _, ...undecided } = points;
      return { ...result, sections: { ...result.sections, points: undecided } };
    }
  }

  async #openImports(decided: readonly DecidedCommand[]): Promise<void> {
    for (const { command, decision } of decided) {
      if (decision.kind !== 'events') continue;
      for (const { event } of decision.events)
        if (event.type === 'ImportOpened') await this.#importBracket.openedBy(command.account, event);
    }
  }

  async #append(decided: readonly DecidedCommand[], receiptOnly: boolean): Promise<readonly Appended[]> {
    const drafts = decided.map((one) => this.#recordOf(one, receiptOnly));
    const records = drafts.filter((record) => record !== null);
    const outcomes =
      records.length === 0 ? [] : await this.#appends.measure(() => this.#dependencies.store.append(records));
    const byRecord = new Map(records.map((record, index) => [record, outcomes[index] as AppendOutcome]));
    return decided.map((one, index) => {
      const record = drafts[index] ?? null;
      return { ...one, record, appended: record === null ? null : (byRecord.get(record) as AppendOutcome) };
    });
  }

  /** null if the command records nothing. */
  #recordOf({ command: { account }, receivedAt, decision }: DecidedCommand, receiptOnly: boolean): NewRecord | null {
    if (decision.kind !== 'events') return null;
    const { occurredAt, event } = decision.events.at(-1) as NewEvent;
    return {
      eventId: newEventId(receivedAt),
      account,
      configurationVersion: this.#dependencies.configurations.historyOf(account).current.version,
      occurredAt,
      recordedAt: receivedAt,
      fact: receiptOnly && event.type === 'MetricEventRecorded' ? { ...event, receiptOnly } : event,
    };
  }

  /** Returns the position of the event. */
  async #appendEvent(account: string, fact: AccountEvent, occurredAt?: Instant): Promise<number> {
    const { clock, configurations, store } = this.#dependencies;
    const configurationVersion = configurations.historyOf(account).current.version;
    const recordedAt = clock.now();
    const event = { account, configurationVersion, occurredAt: occurredAt ?? recordedAt, recordedAt, fact };
    const { position } = await appendEvent(store, event, `a ${fact.type} could not be recorded`);
    return position;
  }

  #count(outcome: CommandResult): void {
    this.counts[outcome.kind]++;
    if (outcome.kind === 'recorded' && outcome.pending.length > 0) this.counts.pending++;
  }
}

const lastPosition = (outcomes: readonly CommandResult[]): number | null =>
  outcomes.reduce<number | null>(
    (last, outcome) => (outcome.kind === 'recorded' ? Math.max(last ?? 0, outcome.position) : last),
    null,
  );

const bytesOf = (commands: readonly UserCommand[]): number =>
  commands.reduce((sum, command) => sum + commandBytes(command), 0);
