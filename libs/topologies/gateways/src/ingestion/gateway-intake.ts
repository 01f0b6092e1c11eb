import type { Instant } from '@laurel/calendar';
import {
  AREAS,
  StoreUnavailableError,
  sweepUsers,
  type AccountFact,
  type AreaName,
  type Attribution,
  type Command,
  type Configuration,
  type ImportClosed,
  type ImportOptions,
  type KeyFact,
  type KeyedCommand,
  type LogRecord,
  type NewEvent,
  type NewRecord,
  type Outcome,
  type RunFact,
  type Subject,
  type UserRecord,
  type WebhookChanged,
} from '@laurel/kernel';
import type { Clock, FinishedImport, ImportProgress, Intake, OpenedImport, SubmitOptions } from '@laurel/ports';
import { invalidRequest, ProblemError, type ServiceStatus } from '@laurel/schemas';
import {
  FencedError,
  LogOverloadedError,
  newEventId,
  type AppendOutcome,
  type EventStore,
  type UsedKey,
} from '@laurel/event-store';
import { commandBytes, DEFAULT_QUEUE_BOUNDS, QueueBudget, refused, refusedBy, userKey } from '@laurel/engine';
import type { GatewayConfigurations } from '@laurel/processes';
import { sectionsOf, type AnswerClient, type Gathered, type Viewed } from '../answers/index.ts';
import { accountRecord } from './account-record.ts';
import { AppendProgress } from './append-progress.ts';
import type { DecidedCommand } from './decide-commands.ts';
import { ImportBracket, type ImportBracketParts } from './import-bracket.ts';
import type { Imports } from './imports.ts';
import type { ReceiptBacklog } from './receipt-backlog.ts';
import { StreamTurns } from './stream-turns.ts';

export interface GatewayIntakeParts {
  readonly store: Pick<EventStore, 'append' | 'findKeys'>;
  /** The position of the newest record. */
  readonly logHead: () => Promise<number>;
  readonly configurations: GatewayConfigurations;
  readonly answers: Pick<AnswerClient, 'gather'>;
  /** What is stored of recorded events whose results were not told in time, by event id. Never rejects. */
  readonly appliedOutcomes: (records: readonly UserRecord[], limitMs: number) => Promise<ReadonlyMap<string, Gathered>>;
  /** What a request shows whose key an earlier event used. @throws StoreUnavailableError */
  readonly viewReplay: (command: KeyedCommand, original: UsedKey, configuration: Configuration) => Promise<Viewed>;
  readonly imports: ImportBracketParts['imports'] & Pick<Imports, 'findOpen'>;
  /** Decides the commands of one call, see {@link decideCommands}. @throws StoreUnavailableError */
  readonly decide: (commands: readonly Command[]) => Promise<readonly DecidedCommand[]>;
  /** Bounds what is acknowledged before it is applied. */
  readonly backlog: Pick<ReceiptBacklog, 'admit'>;
  /** Waits until every area has applied all that is recorded now; those that have not within the limit. */
  readonly pendingNow: (limitMs: number) => Promise<readonly AreaName[]>;
  readonly clock: Clock;
  /** How long an answer waits for what an event caused. */
  readonly answerLimitMs: number;
  /** An event of the account is in the log. */
  readonly onRecorded: (account: string) => void;
  /** A standalone has taken the log over: this process cannot append any more. */
  readonly onFenced: () => void;
}

/** A service applies a message as a whole, with all the awards that it gives. */
const NO_UNBOUNDED_AWARDS = {
  path: 'unboundedAwards',
  message: 'must be false in the distributed topology, which gives all that is owed at once',
};

/**
 * The door to the log in the distributed topology: appends, then waits for what the services made of it. Once an event is
 * recorded it is answered, if need be with everything still pending. Where only receipts are wanted, the append is the answer.
 */
export class GatewayIntake implements Intake {
  readonly counts = { recorded: 0, replayed: 0, refused: 0, pending: 0 };
  readonly #parts: GatewayIntakeParts;
  readonly #appends: AppendProgress;
  readonly #importBracket: ImportBracket;
  /** Commands that wait for their answers; more are refused before they are recorded. */
  readonly #waiting = new QueueBudget(DEFAULT_QUEUE_BOUNDS);
  readonly #streams = new StreamTurns();

  constructor(parts: GatewayIntakeParts) {
    this.#parts = parts;
    this.#appends = new AppendProgress(parts.clock);
    const appendFact = (account: string, fact: AccountFact) => this.#appendFact(account, fact);
    this.#importBracket = new ImportBracket({ imports: parts.imports, clock: parts.clock, appendFact });
  }

  /** How the log takes in what is appended here. */
  lane(): ServiceStatus['lane'] {
    const { state, stalledMs } = this.#appends;
    return { state, waiting: this.waiting, stalledMs: Math.round(stalledMs) };
  }

  /** Commands taken in and not yet answered. */
  get waiting(): number {
    return this.#waiting.count;
  }

  submit(
    commands: readonly Command[],
    { receiptOnly = false, stream }: SubmitOptions = {},
  ): Promise<readonly Outcome[]> {
    const take = () => this.#take(commands, receiptOnly);
    return stream === undefined ? take() : this.#streams.inTurn(stream, commands, take);
  }

  async #take(commands: readonly Command[], receiptOnly: boolean): Promise<readonly Outcome[]> {
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

  /** Waits until what was imported can be read, or names the areas in which it cannot yet: then call it again. */
  async finishImport(account: string, attribution: Attribution = {}): Promise<FinishedImport> {
    const closed = await this.closeImport(account, 'finished', attribution);
    const pending = await this.#parts.pendingNow(this.#parts.answerLimitMs);
    return pending.length === 0 ? { closed } : { closed, pending };
  }

  async importProgress(account: string): Promise<ImportProgress | null> {
    const { imports, logHead } = this.#parts;
    const open = await imports.findOpen(account);
    if (open === null) return null;
    const { openedAt, lastAt, position, by, reason, outgoing } = open;
    return {
      ...{ openedAt, lastReceivedAt: lastAt, unboundedAwards: false, outgoing },
      attribution: { ...(by !== null && { by }), ...(reason !== null && { reason }) },
      events: position === null ? null : Math.max(0, (await logHead()) - position),
    };
  }

  /** Answers whether an import was open. */
  closeImport(account: string, cause: ImportClosed['cause'], attribution: Attribution): Promise<boolean> {
    return this.#importBracket.close(account, cause, attribution);
  }

  /** Records that these users were settled up to now, unless an import is open. */
  async recordSweep(account: string, subjects: readonly Subject[]): Promise<void> {
    const state = { now: this.#parts.clock.now(), isImporting: await this.#parts.imports.isOpen(account) };
    for (const { event } of sweepUsers({ type: 'SweepUsers', account, subjects }, state).events)
      await this.#appendFact(account, event);
  }

  /** Records that a run of a leaderboard began or ended at that instant. @throws StoreUnavailableError if it is not known to be recorded. */
  async recordRun(account: string, fact: RunFact, at: Instant): Promise<void> {
    await this.#appendFact(account, fact, at);
  }

  /** Records that a key was created or revoked at that instant. @throws StoreUnavailableError if it is not known to be recorded. */
  async recordKeyFact(account: string, fact: KeyFact, at: Instant): Promise<void> {
    await this.#appendFact(account, fact, at);
  }

  /** Records what was done to an endpoint of webhooks at that instant. @throws StoreUnavailableError if it is not known to be recorded. */
  async recordWebhookChange(account: string, fact: WebhookChanged, at: Instant): Promise<void> {
    await this.#appendFact(account, fact, at);
  }

  async #submitForReceipts(commands: readonly Command[]): Promise<readonly Outcome[]> {
    const admission = await this.#parts.backlog.admit({ records: commands.length, bytes: bytesOf(commands) });
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

  async #submit(commands: readonly Command[], receiptOnly: boolean): Promise<readonly Outcome[]> {
    let appended: readonly Appended[];
    try {
      const decided = await this.#parts.decide(commands);
      await this.#openImports(decided);
      appended = await this.#append(decided, receiptOnly);
    } catch (error) {
      if (error instanceof LogOverloadedError) return commands.map(() => refused('overloaded', null));
      // It does not come from the append of the commands, so nothing of them is recorded.
      if (error instanceof StoreUnavailableError) return commands.map(() => refused('unavailable', null));
      throw error;
    }
    const gathered = receiptOnly ? null : await this.#gather(appended);
    return Promise.all(appended.map((one) => this.#answer(one, gathered, receiptOnly)));
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
    const outcomes = records.length === 0 ? [] : await this.#appends.measure(() => this.#parts.store.append(records));
    const byRecord = new Map(records.map((record, index) => [record, outcomes[index] as AppendOutcome]));
    return decided.map((one, index) => {
      const record = drafts[index] ?? null;
      return { ...one, record, appended: record === null ? null : (byRecord.get(record) as AppendOutcome) };
    });
  }

  /** null: the command records nothing. */
  #recordOf({ command: { account }, receivedAt, decision }: DecidedCommand, receiptOnly: boolean): NewRecord | null {
    if (decision.kind !== 'events') return null;
    const { occurredAt, event } = decision.events.at(-1) as NewEvent;
    return {
      eventId: newEventId(receivedAt),
      account,
      configurationVersion: this.#parts.configurations.historyOf(account).current.version,
      occurredAt,
      recordedAt: receivedAt,
      fact: receiptOnly && event.type === 'MetricEventRecorded' ? { ...event, receiptOnly } : event,
    };
  }

  async #answer(
    { command, decision, original, record, appended }: Appended,
    gathered: ReadonlyMap<string, Gathered> | null,
    receiptOnly: boolean,
  ): Promise<Outcome> {
    if (decision.kind === 'refusal') return refusedBy(decision);
    if (appended === null) return this.#replayIfReachable(command as KeyedCommand, original as UsedKey, receiptOnly);
    switch (appended.kind) {
      case 'recorded':
        return this.#recorded(appended.record, gathered ? gathered.get(appended.record.eventId) : RECEIPT);
      case 'used':
        return this.#replayIfReachable(command as KeyedCommand, appended.original, receiptOnly);
      case 'erased':
        return refused('erased', null);
      case 'import_open':
        await this.#importBracket.isInLog(command.account);
        return refused('import_open', null);
      case 'rejected':
        return refused('rejected', null);
      case 'failed':
        if (appended.error instanceof FencedError) this.#parts.onFenced();
        return appended.recorded === 'unknown'
          ? refused('unknown', (record as NewRecord).eventId)
          : refused('unavailable', null);
    }
  }

  /** What the services made of those that were recorded, by event. */
  async #gather(submitted: readonly Appended[]): Promise<ReadonlyMap<string, Gathered>> {
    const byUser = new Map<string, { account: string; subject: Subject; eventIds: string[] }>();
    for (const { command, appended } of submitted) {
      if (appended?.kind !== 'recorded') continue;
      const { account, subject } = command;
      const user = byUser.get(userKey({ account, subject })) ?? { account, subject, eventIds: [] };
      user.eventIds.push(appended.record.eventId);
      byUser.set(userKey({ account, subject }), user);
    }
    if (byUser.size === 0) return new Map();
    const { answers, answerLimitMs, appliedOutcomes } = this.#parts;
    const gathered = await answers.gather([...byUser.values()], answerLimitMs * TOLD_SHARE);
    const untold = submitted.flatMap(({ appended }) =>
      appended?.kind === 'recorded' && isUntold(gathered.get(appended.record.eventId))
        ? [appended.record as UserRecord]
        : [],
    );
    if (untold.length === 0) return gathered;
    return new Map([...gathered, ...(await appliedOutcomes(untold, answerLimitMs * (1 - TOLD_SHARE)))]);
  }

  #recorded(record: LogRecord, known: Pick<Gathered, 'sections' | 'pending'> | undefined): Outcome {
    const { eventId, position, occurredAt, account, configurationVersion } = record;
    this.#parts.onRecorded(account);
    const configuration = this.#parts.configurations.historyOf(account).at(configurationVersion);
    const pending = known?.pending ?? AREAS;
    const sections = known ? sectionsOf(known, configuration) : {};
    const late = sections.streaks?.late;
    return {
      ...{ kind: 'recorded', eventId, position, occurredAt, configuration, sections, pending },
      ...(late && { late }),
    };
  }

  /** What others of the same call have recorded is answered, whatever becomes of this one. */
  async #replayIfReachable(command: KeyedCommand, original: UsedKey, receiptOnly: boolean): Promise<Outcome> {
    try {
      return await this.#replay(command, original, receiptOnly);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return refused('unavailable', null);
      throw error;
    }
  }

  async #replay(command: KeyedCommand, original: UsedKey, receiptOnly: boolean): Promise<Outcome> {
    const { eventId } = original;
    const configuration = this.#parts.configurations.historyOf(command.account).current;
    const { sections, pending } = receiptOnly
      ? RECEIPT
      : await this.#parts.viewReplay(command, original, configuration);
    return { kind: 'replayed', eventId, configuration, sections: sectionsOf({ sections }, configuration), pending };
  }

  /** Answers the position. */
  async #appendFact(account: string, fact: AccountFact, occurredAt?: Instant): Promise<number> {
    const at = this.#parts.clock.now();
    const { version } = this.#parts.configurations.historyOf(account).current;
    const record = accountRecord(account, fact, version, at, occurredAt);
    const [outcome] = await this.#parts.store.append([record]);
    if (outcome?.kind !== 'recorded')
      throw new StoreUnavailableError(`a ${fact.type} could not be recorded`, { cause: outcome });
    return outcome.record.position;
  }

  #count(outcome: Outcome): void {
    this.counts[outcome.kind]++;
    if (outcome.kind === 'recorded' && outcome.pending.length > 0) this.counts.pending++;
  }
}

/** Of the wait limit, how long the results of an event may take; the rest is for reading what is stored of it. */
const TOLD_SHARE = 0.95;

const isUntold = (gathered: Gathered | undefined): boolean => (gathered?.pending ?? AREAS).length === AREAS.length;

/** A command, and what became of its record; null: it has none. */
interface Appended extends DecidedCommand {
  readonly record: NewRecord | null;
  readonly appended: AppendOutcome | null;
}

/** What is known of an event of which only the receipt is wanted. */
const RECEIPT = { sections: {}, pending: [] };

const lastPosition = (outcomes: readonly Outcome[]): number | null =>
  outcomes.reduce<number | null>(
    (last, outcome) => (outcome.kind === 'recorded' ? Math.max(last ?? 0, outcome.position) : last),
    null,
  );

const bytesOf = (commands: readonly Command[]): number =>
  commands.reduce((sum, command) => sum + commandBytes(command), 0);
