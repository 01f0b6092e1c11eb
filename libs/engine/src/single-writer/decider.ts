import { localDate, type Instant, type LocalDate } from '@laurel/calendar';
import {
  fieldsOf,
  isKeyed,
  MOST_OWED_AWARDS,
  viewedBy,
  type Attribution,
  type Command,
  type EraseUser,
  type Configuration,
  type ConfigurationHistory,
  type CorrectionRecorded,
  type Fact,
  type GiveGrant,
  type ImportClosed,
  type KeyHash,
  type KeyedCommand,
  type KeyFact,
  type LogRecord,
  type Outcome,
  type RecordMetricEvent,
  type Refused,
  type RunFact,
  type UserFact,
  type Subject,
  type WebhookChanged,
} from '@laurel/kernel';
import type { Clock, ImportOptions } from '@laurel/ports';
import { keysOf, originalAmong, type UsedKey } from '@laurel/event-store';
import type { Account, Batch, OriginalEvent } from './batch.ts';
import type { BatchStore } from './batch-store.ts';
import type { Chain } from './chain.ts';
import type { Committed } from './committed.ts';
import { isBlank, userKey, type Document, type UserRef } from '../folding/document.ts';
import { CorrectionRefusedError, type CorrectionFolds } from '../folding/corrected-fold.ts';
import { changesOf, type CorrectionRecord } from '../folding/event-changes.ts';
import { concerns, userRecordOf, type UserEvents } from '../folding/user-events.ts';
import { takeEvents } from '../folding/user-fold.ts';
import { factOf, importOpened, openingOf } from '../folding/fact-of.ts';
import { refused, type DecideOptions, type Task } from './single-writer-queue.ts';
import { loadDocuments } from './load-documents.ts';
import { owedByNewcomer } from '../due/owed-by-newcomer.ts';
import type { Quarantine } from './quarantine.ts';
import { publicationOf, type CompileHistory } from '../folding/publications.ts';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';

/** What is asked of the log: by callers, or by the engine itself. */
export type Intent =
  Command | CorrectUser | PublishConfiguration | SweepUsers | OpenImport | CloseImport | RecordAccountFact;

/** A correction whose folds have begun: they hold the user's events as far as these were committed. */
export interface CorrectUser extends UserRef {
  readonly type: 'CorrectUser';
  readonly correction: CorrectionRecorded;
  /** Replaced by a copy that has taken more. */
  folds: CorrectionFolds;
}

interface PublishConfiguration {
  readonly type: 'PublishConfiguration';
  readonly account: string;
  readonly document: unknown;
  readonly attribution: Attribution;
}

interface OpenImport {
  readonly type: 'OpenImport';
  readonly account: string;
  readonly options: ImportOptions;
  readonly attribution: Attribution;
}

interface CloseImport {
  readonly type: 'CloseImport';
  readonly account: string;
  readonly cause: ImportClosed['cause'];
  readonly attribution: Attribution;
}

interface RecordAccountFact {
  readonly type: 'RecordAccountFact';
  readonly account: string;
  readonly fact: KeyFact | WebhookChanged | RunFact;
  /** When it took place. */
  readonly at: Instant;
}

interface SweepUsers {
  readonly type: 'SweepUsers';
  readonly account: string;
  readonly subjects: readonly Subject[];
}

export interface EngineTask extends Task {
  readonly intent: Intent;
  readonly receivedAt: Instant;
  /** The caller needs no sections of a replay: they are not worked out. */
  readonly receiptOnly: boolean;
  /** The same for all commands that were submitted at once: they are recorded in their order. */
  readonly submission: symbol;
}

export interface DeciderParts {
  readonly store: BatchStore;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly committed: Committed;
  readonly quarantine: Quarantine;
  readonly userEvents: UserEvents;
  readonly newEventId: (at: Instant) => string;
  readonly originalDates: (keys: readonly UsedKey[]) => Promise<readonly LocalDate[]>;
  readonly compileHistory: CompileHistory;
  readonly onErased?: (user: UserRef) => void;
}

/** Tasks decided before other work of the process (answers, new requests) gets its turn. */
const TASKS_PER_TURN = 64;

/** Turns tasks into records and what they cause, on top of a batch. */
export class Decider {
  readonly #parts: DeciderParts;

  constructor(parts: DeciderParts) {
    this.#parts = parts;
  }

  /**
   * Answers what each task will be told once the batch is committed; null: it must wait for the next, because this one is full or
   * because its user is owed more than it should hold. @throws if the store cannot be read.
   */
  async decide(
    batch: Batch,
    tasks: readonly EngineTask[],
    { lookUpKeys, rows }: DecideOptions,
  ): Promise<readonly (Outcome | null)[]> {
    const { chain, quarantine } = this.#parts;
    const users = tasks.flatMap(({ intent }) => usersOf(intent)).filter((user) => !quarantine.holds(user));
    // Known, but not lately seen.
    const returning = await loadDocuments(batch, users, this.#parts);
    const isSuspect = (user: UserRef) => lookUpKeys || returning.has(userKey(user)) || quarantine.holds(user);
    await this.#lookUpKeys(batch, tasks, isSuspect);
    const { after, records: below } = batch.uncommitted;
    for (const { intent } of tasks) if (intent.type === 'CorrectUser') await this.#takeCommitted(intent, after);
    const outcomes: (Outcome | null)[] = [];
    const workedWith: UserRef[] = [];
    for (const [place, task] of tasks.entries()) {
      if (place > 0 && place % TASKS_PER_TURN === 0) await turnOfTheLoop();
      outcomes.push(this.#decideInTurn(batch, task, rows, workedWith, below));
      if (batch.boardsWait.length > 0) await chain.load(batch);
    }
    chain.date(batch);
    if (quarantine.size > 0) for (const user of workedWith) quarantine.release(userKey(user));
    return outcomes;
  }

  /** Folds that fail at an event are of no use, and the task may be decided again: so a copy takes what was committed since. */
  async #takeCommitted(intent: CorrectUser, upTo: number): Promise<void> {
    const folds = intent.folds.clone();
    await takeEvents(folds, this.#parts.userEvents, intent, upTo);
    intent.folds = folds;
  }

  /** @param workedWith users whose states could be worked with are added */
  #decideInTurn(
    batch: Batch,
    task: EngineTask,
    rows: number,
    workedWith: UserRef[],
    below: readonly LogRecord[],
  ): Outcome | null {
    const refusal = 'subject' in task.intent ? this.#parts.quarantine.refusalOf(task.intent) : null;
    if (refusal !== null) return this.#replayWithoutState(batch, task) ?? refusal;
    const mayFollow = batch.weight <= rows && !isHeld(batch, task) && isLoaded(batch, task);
    if (mayFollow && this.#settleBefore(batch, task, rows)) {
      if ('subject' in task.intent) workedWith.push(task.intent);
      return this.#decideOne(batch, task, rows, below);
    }
    hold(batch, task);
    return null;
  }

  /**
   * Asks the store for keys that may have been used. A user of whom nothing is stored has used none; for users at hand it
   * is left to the unique index to object, unless a key in use has been met lately.
   */
  async #lookUpKeys(batch: Batch, tasks: readonly EngineTask[], suspect: (user: UserRef) => boolean): Promise<void> {
    const { committed, store, originalDates } = this.#parts;
    const asked = new Map<KeyHash, readonly KeyHash[]>();
    for (const { intent } of tasks) {
      if (!isKeyed(intent)) continue;
      const keys = keysOf(intent);
      // The unique index knows nothing of how earlier releases read a key.
      if (keys.flat().length <= 1 && !suspect(intent)) continue;
      for (const hashes of keys)
        if (batch.originalOf(hashes[0]) === undefined && !committed.keys.has(hashes[0])) asked.set(hashes[0], hashes);
    }
    if (asked.size === 0) return;
    const used = await store.findKeys([...asked.values()].flat());
    const dates = used.length > 0 ? await originalDates(used) : [];
    const retracted = await this.#retractedAmong(used);
    const originals = new Map(
      used.map(({ keyHash, eventId, position }, index): [KeyHash, OriginalEvent] => {
        const original = { eventId, date: dates[index] as LocalDate };
        return [keyHash, retracted.has(position) ? { ...original, retracted: true } : original];
      }),
    );
    for (const [key, hashes] of asked) {
      const original = originalAmong(hashes, originals);
      if (original) batch.keepOriginal(key, original);
    }
  }

  /** The positions of those events that are retracted. */
  async #retractedAmong(used: readonly UsedKey[]): Promise<ReadonlySet<number>> {
    if (used.length === 0) return NONE;
    const corrections = await this.#parts.userEvents.correctionsOf([...new Set(used.map(({ subject }) => subject))]);
    // Users never correct each other's events, so all corrections together come to the same as those of each alone.
    const changes = [...changesOf(corrections)].filter(([, { retracted }]) => retracted);
    return new Set(changes.map(([position]) => position));
  }

  /**
   * A user of whom nothing was heard for long may be owed more than one record, or one batch, should hold. It is then given piece
   * by piece before their event, each piece a sweep of its own, and one piece a batch: so those of others are committed between the
   * pieces. Answers whether the event may follow in this batch.
   */
  #settleBefore(batch: Batch, { intent, receivedAt }: EngineTask, rows: number): boolean {
    if (!('subject' in intent)) return true;
    const account = this.#accountOf(batch, intent.account);
    const at = 'occurredAt' in intent ? (intent.occurredAt ?? receivedAt) : receivedAt;
    const bound = this.#pieceBound(batch, account, intent, at, rows);
    if (bound === null || this.#originalOf(batch, intent) !== undefined) return true;
    if (batch.settled > rows * SHARE_TO_SETTLE) return false;
    this.#sweepPiece(batch, account, intent, bound, receivedAt);
    return this.#pieceBound(batch, account, intent, at, rows) === null;
  }

  /** Up to when a first piece settles what a user is owed at `at`; null: it is no more than a piece. */
  #pieceBound(batch: Batch, account: Account, user: UserRef, at: Instant, rows: number): Instant | null {
    // An area that has stopped would be owed the same again and again.
    if (batch.failures.size > 0) return null;
    const configuration = currentConfiguration(account);
    const document = batch.documentOf(userKey(user)) as Document;
    const piece = Math.max(1, Math.floor(rows * PIECE));
    const bound = this.#parts.chain.settleBound(user, document, configuration, at, piece);
    return bound < at ? bound : null;
  }

  #sweepPiece(batch: Batch, account: Account, user: UserRef, bound: Instant, recordedAt: Instant): void {
    const before = batch.weight;
    this.#sweep(batch, account, [user.subject], bound, recordedAt, this.#parts.newEventId(recordedAt));
    batch.settled += batch.weight - before;
  }

  #sweep(
    batch: Batch,
    account: Account,
    subjects: readonly Subject[],
    at: Instant,
    recordedAt: Instant,
    eventId: string,
  ): LogRecord {
    const configuration = currentConfiguration(account);
    const record = this.#append(batch, eventId, account, configuration.version, at, recordedAt, {
      type: 'UsersSwept',
      subjects,
    });
    for (const [place, subject] of subjects.entries()) {
      const user = { account: account.name, subject };
      const message = { ...record, fact: { type: 'UserSwept' as const, subject, place } };
      this.#parts.chain.apply(batch, user, message, configuration, false);
    }
    return record;
  }

  #decideOne(batch: Batch, task: EngineTask, rows: number, below: readonly LogRecord[]): Outcome {
    const { intent } = task;
    switch (intent.type) {
      case 'RecordMetricEvent':
        return this.#recordMetricEvent(batch, task, intent);
      case 'IdentifyUser':
      case 'CompleteAchievement':
        return this.#refusalOf(batch, intent) ?? this.#recordUserFact(batch, task, intent, task.receivedAt);
      case 'GiveGrant':
        return this.#giveGrant(batch, task, intent);
      case 'EraseUser':
        return this.#eraseUser(batch, task, intent);
      case 'CorrectUser':
        return this.#correct(batch, task, intent, below);
      case 'PublishConfiguration':
        return this.#publishConfiguration(batch, task, intent);
      case 'SweepUsers':
        return this.#sweepUsers(batch, task, intent, rows);
      case 'OpenImport':
        return this.#reopenImport(batch, task, intent);
      case 'CloseImport':
        return this.#closeImport(batch, task, intent);
      case 'RecordAccountFact':
        return this.#recordAccountFact(batch, task, intent);
    }
  }

  #recordMetricEvent(batch: Batch, task: EngineTask, command: RecordMetricEvent): Outcome {
    const original = this.#originalOf(batch, command);
    if (original) return this.#replay(batch, task, command, original);
    const refusal = this.#refusalOf(batch, command) ?? this.#owesTooMuch(batch, task, command);
    if (refusal) return refusal;

    const occurredAt = command.occurredAt ?? task.receivedAt;
    if (command.occurredAt !== null && this.#accountOf(batch, command.account).openImport === null)
      this.#openImport(batch, task, this.#parts.newEventId(task.receivedAt), openedBy(command));
    return this.#recordUserFact(batch, task, command, occurredAt, command.keyHash);
  }

  #giveGrant(batch: Batch, task: EngineTask, command: GiveGrant): Outcome {
    const original = this.#originalOf(batch, command);
    if (original) return this.#replay(batch, task, command, original);
    if (isBlank(batch.documentOf(userKey(command)) as Document)) return refused('unknown_user', null);
    const refusal = this.#refusalOf(batch, command);
    if (refusal !== null) return refusal;
    if (this.#accountOf(batch, command.account).openImport !== null) return refused('import_open', null);
    return this.#recordUserFact(batch, task, command, task.receivedAt, command.keyHash);
  }

  /** What an area that has stopped has yet to apply holds personal fields, so nobody is erased before it has. */
  #eraseUser(batch: Batch, task: EngineTask, command: EraseUser): Outcome {
    if (isBlank(batch.documentOf(userKey(command)) as Document)) return refused('unknown_user', null);
    const refusal = this.#refusalOf(batch, command);
    if (refusal !== null) return refusal;
    if (this.#accountOf(batch, command.account).openImport !== null) return refused('import_open', null);
    if (batch.failures.size > 0) return refused('area_stopped', null);
    return this.#recordUserFact(batch, task, command, task.receivedAt);
  }

  #isDue(batch: Batch, user: UserRef, configuration: Configuration, at: Instant): boolean {
    const due = this.#parts.chain.dueAt(user, batch.documentOf(userKey(user)) as Document, configuration);
    return due !== null && due <= at;
  }

  /**
   * Settles the user, lets the folds take what was recorded of the user since they were committed, and puts what the correction makes of them in the place
   * of what there is.
   * @param below records of the batch below, which may be committed by now
   */
  #correct(batch: Batch, task: EngineTask, intent: CorrectUser, below: readonly LogRecord[]): Outcome {
    const { correction } = intent;
    const { keyHash } = correction;
    const original =
      keyHash === null ? undefined : (batch.originalOf(keyHash) ?? this.#parts.committed.keys.get(keyHash));
    const account = this.#accountOf(batch, intent.account);
    const configuration = currentConfiguration(account);
    if (original) return { kind: 'replayed', eventId: original.eventId, configuration, sections: {}, pending: [] };
    if (isBlank(batch.documentOf(userKey(intent)) as Document)) return refused('unknown_user', null);
    if (account.openImport !== null) return refused('import_open', null);
    const { eventId, receivedAt } = task;
    // What is due as it is is no part of the correction.
    if (batch.failures.size === 0 && this.#isDue(batch, intent, configuration, receivedAt))
      this.#sweep(batch, account, [intent.subject], receivedAt, receivedAt, this.#parts.newEventId(receivedAt));
    if (batch.failures.size > 0) return refused('area_stopped', null);
    const folds = intent.folds.clone(account.history ?? undefined);
    const since = [...below, ...batch.records].filter(
      (record) =>
        record.position > folds.position && record.account === intent.account && concerns(record, intent.subject),
    );
    for (const record of since) folds.apply(userRecordOf(record, intent.subject));
    if (folds.isOvertaken) return refused('corrected_meanwhile', null);
    const { version } = configuration;
    const record: CorrectionRecord = {
      ...{ eventId, account: account.name, configurationVersion: version, occurredAt: receivedAt },
      ...{ recordedAt: Math.max(receivedAt, batch.recordedAt), fact: correction, position: batch.head + 1 },
    };
    try {
      const corrected = folds.finish(record, batch.documentOf(userKey(intent)) as Document);
      this.#parts.chain.assertFewRuns(corrected, correction.finalRuns === 'change');
      batch.records.push(record);
      this.#parts.chain.correct(batch, intent, corrected, correction.finalRuns === 'change');
    } catch (error) {
      if (error instanceof CorrectionRefusedError) return refusedBy(error);
      throw error;
    }
    for (const [key, retracted] of folds.keys) {
      const used = batch.originalOf(key) ?? this.#parts.committed.keys.get(key);
      if (used !== undefined) batch.setOriginal(key, { ...used, retracted });
    }
    if (keyHash !== null) batch.setOriginal(keyHash, { eventId, date: localDate(receivedAt, 'UTC') });
    const { position, occurredAt } = record;
    return { kind: 'recorded', eventId, position, occurredAt, configuration, sections: {}, pending: [] };
  }

  /** By the state that the record would be applied to, so it is exact. */
  #refusalOf(batch: Batch, command: Command): Refused | null {
    const reason = this.#parts.chain.refusalOf(batch.documentOf(userKey(command)) as Document, fieldsOf(command));
    if (reason === 'erased') this.#parts.onErased?.(command);
    return reason === null ? null : refused(reason, null);
  }

  /** A line that creates a user long ago may owe them more than anybody should wait for. */
  #owesTooMuch(batch: Batch, { receivedAt, eventId }: EngineTask, command: RecordMetricEvent): Refused | null {
    if (command.occurredAt === null || this.#parts.chain.isCreated(batch.documentOf(userKey(command)) as Document))
      return null;
    const account = this.#accountOf(batch, command.account);
    if (account.openImport?.options.unboundedAwards || batch.failures.size > 0) return null;
    const configuration = currentConfiguration(account);
    const record: LogRecord<UserFact> = {
      eventId,
      account: account.name,
      configurationVersion: configuration.version,
      occurredAt: command.occurredAt,
      recordedAt: receivedAt,
      fact: factOf(command),
      position: batch.head + 1,
    };
    const owed = owedByNewcomer(this.#parts.chain.userAreas, record, configuration, receivedAt);
    return owed > MOST_OWED_AWARDS ? { ...refused('too_many_awards', null), owed } : null;
  }

  /** @param key the idempotency key that the record uses; null: none */
  #recordUserFact(
    batch: Batch,
    task: EngineTask,
    command: Command,
    occurredAt: Instant,
    key: string | null = null,
  ): Outcome {
    const { eventId, receivedAt, receiptOnly } = task;
    const account = this.#accountOf(batch, command.account);
    const configuration = currentConfiguration(account);
    const record = this.#append(
      batch,
      eventId,
      account,
      configuration.version,
      occurredAt,
      receivedAt,
      factOf(command),
    );
    if (!account.holdsEvents) batch.setAccount({ ...this.#accountOf(batch, command.account), holdsEvents: true });
    const made = this.#parts.chain.apply(batch, command, record, configuration, !receiptOnly);
    const { sections, pending, date, late } = made;
    if (key !== null) batch.setOriginal(key, { eventId, date: date ?? localDate(occurredAt, 'UTC') });
    return {
      ...{ kind: 'recorded', eventId, position: record.position, occurredAt, configuration, sections, pending },
      ...(late && { late }),
    };
  }

  /** The answer to a key that a damaged user has used: all that their state would say is pending. */
  #replayWithoutState(batch: Batch, { intent, receiptOnly }: EngineTask): Outcome | null {
    const original = this.#originalOf(batch, intent);
    if (original === undefined) return null;
    const configuration = currentConfiguration(this.#accountOf(batch, intent.account));
    const pending = receiptOnly ? [] : this.#parts.chain.areaNames;
    const retracted = original.retracted === true && { retracted: true as const };
    return { kind: 'replayed', eventId: original.eventId, configuration, sections: {}, pending, ...retracted };
  }

  #replay(batch: Batch, task: EngineTask, command: KeyedCommand, original: OriginalEvent): Outcome {
    const { account, subject } = command;
    const configuration = currentConfiguration(this.#accountOf(batch, account));
    const retracted = original.retracted === true && { retracted: true as const };
    const replayed = { kind: 'replayed' as const, eventId: original.eventId, configuration, ...retracted };
    if (task.receiptOnly) return { ...replayed, sections: {}, pending: [] };
    const at = this.#parts.clock.now();
    const request = { account, subject, ...viewedBy(command), at, originalDate: original.date };
    const document = batch.documentOf(userKey(command)) as Document;
    const { sections, pending } = this.#parts.chain.view(batch, request, document, configuration);
    return { ...replayed, sections, pending };
  }

  /**
   * Settles what fell due; an account with an open import is left alone (specification, section 7). Users for whom this batch
   * has no room stay due, and the next step finds them.
   */
  #sweepUsers(batch: Batch, task: EngineTask, { account: name, subjects }: SweepUsers, rows: number): Outcome {
    const account = this.#accountOf(batch, name);
    const configuration = currentConfiguration(account);
    const { chain, quarantine } = this.#parts;
    const at = task.receivedAt;
    const due: Subject[] = [];
    for (const subject of account.openImport !== null ? [] : subjects) {
      const user = { account: name, subject };
      const left = quarantine.holds(user) || batch.documentOf(userKey(user)) === undefined;
      if (left || batch.held.has(userKey(user))) continue;
      for (let bound; batch.weight <= rows && (bound = this.#pieceBound(batch, account, user, at, rows)) !== null;)
        this.#sweepPiece(batch, account, user, bound, at);
      if (batch.weight > rows) break;
      const document = batch.documentOf(userKey(user)) as Document;
      const dueAt = chain.dueAt(user, document, configuration);
      if (dueAt !== null && dueAt <= at) due.push(subject);
      else batch.setDocument(user, document, configuration);
    }
    const position = due.length > 0 ? this.#sweep(batch, account, due, at, at, task.eventId).position : 0;
    return {
      kind: 'recorded',
      eventId: task.eventId,
      position,
      occurredAt: at,
      configuration,
      sections: {},
      pending: [],
    };
  }

  #originalOf(batch: Batch, intent: Intent): OriginalEvent | undefined {
    if (!isKeyed(intent)) return undefined;
    for (const [key] of keysOf(intent)) {
      const original = batch.originalOf(key) ?? this.#parts.committed.keys.get(key);
      if (original !== undefined) return original;
    }
    return undefined;
  }

  #openImport(
    batch: Batch,
    { receivedAt }: EngineTask,
    eventId: string,
    { account: name, options, attribution }: Omit<OpenImport, 'type'>,
  ): LogRecord {
    const opened = importOpened(options, attribution);
    const account = this.#accountOf(batch, name);
    const { version } = currentConfiguration(account);
    const record = this.#append(batch, eventId, account, version, receivedAt, receivedAt, opened);
    batch.setAccount({ ...account, openImport: openingOf(record) });
    return record;
  }

  /** Position 0: an import with these options was open. */
  #reopenImport(batch: Batch, task: EngineTask, intent: OpenImport): Outcome {
    const account = this.#accountOf(batch, intent.account);
    const { unboundedAwards, outgoing } = intent.options;
    const inForce = account.openImport?.options;
    const isOpen = inForce?.unboundedAwards === unboundedAwards && inForce.outgoing === outgoing;
    return {
      kind: 'recorded',
      eventId: task.eventId,
      position: isOpen ? 0 : this.#openImport(batch, task, task.eventId, intent).position,
      occurredAt: task.receivedAt,
      configuration: currentConfiguration(account),
      sections: {},
      pending: [],
    };
  }

  #closeImport(batch: Batch, task: EngineTask, { account: name, cause, attribution }: CloseImport): Outcome {
    const account = this.#accountOf(batch, name);
    const configuration = currentConfiguration(account);
    const closed = {
      kind: 'recorded' as const,
      eventId: task.eventId,
      occurredAt: task.receivedAt,
      configuration,
      sections: {},
      pending: [],
    };
    if (account.openImport === null) return { ...closed, position: 0 };
    const record = this.#append(batch, task.eventId, account, configuration.version, task.receivedAt, task.receivedAt, {
      type: 'ImportClosed',
      cause,
      ...attribution,
    });
    batch.setAccount({ ...account, openImport: null });
    return { ...closed, position: record.position };
  }

  #recordAccountFact(
    batch: Batch,
    { eventId, receivedAt }: EngineTask,
    { account, fact, at }: RecordAccountFact,
  ): Outcome {
    const configuration = currentConfiguration(this.#accountOf(batch, account));
    const { position } = this.#append(
      batch,
      eventId,
      this.#accountOf(batch, account),
      configuration.version,
      at,
      receivedAt,
      fact,
    );
    return { kind: 'recorded', eventId, position, occurredAt: at, configuration, sections: {}, pending: [] };
  }

  /** While the log holds no event, a publication takes the place of the one before it (specification, section 9). */
  #publishConfiguration(batch: Batch, task: EngineTask, intent: PublishConfiguration): Outcome {
    const { account: name, document, attribution } = intent;
    const account = this.#accountOf(batch, name);
    const last = account.publications.at(-1)?.version ?? 0;
    const version = last > 0 && !account.holdsEvents ? last : last + 1;
    const record = this.#append(batch, task.eventId, account, version, task.receivedAt, task.receivedAt, {
      type: 'ConfigurationPublished',
      version,
      document,
      ...attribution,
    });
    const publications = [...account.publications, publicationOf(record)];
    const history: ConfigurationHistory = this.#parts.compileHistory(name, publications);
    batch.setAccount({ ...account, publications, history });
    const { eventId, receivedAt } = task;
    return {
      kind: 'recorded',
      eventId,
      position: record.position,
      occurredAt: receivedAt,
      configuration: history.current,
      sections: {},
      pending: [],
    };
  }

  #append<F extends Fact>(
    batch: Batch,
    eventId: string,
    account: Account,
    version: number,
    occurredAt: Instant,
    recordedAt: Instant,
    fact: F,
  ): LogRecord<F> {
    const record = {
      eventId,
      account: account.name,
      configurationVersion: version,
      occurredAt,
      // Never before the record before it, whatever the clock did meanwhile.
      recordedAt: Math.max(recordedAt, batch.recordedAt),
      fact,
      position: batch.head + 1,
    };
    batch.records.push(record);
    return record;
  }

  #accountOf(batch: Batch, name: string): Account {
    return (
      batch.accountOf(name) ??
      this.#parts.committed.accounts.get(name) ?? {
        name,
        publications: [],
        history: null,
        openImport: null,
        holdsEvents: false,
      }
    );
  }
}

const NONE: ReadonlySet<number> = new Set();

const refusedBy = ({ reason, of }: CorrectionRefusedError): Refused => ({
  ...refused(reason, of?.eventId ?? null),
  ...(of?.owed !== undefined && { owed: of.owed }),
});

export function usersOf(intent: Intent): readonly UserRef[] {
  if ('subject' in intent) return [intent];
  return intent.type === 'SweepUsers' ? intent.subjects.map((subject) => ({ account: intent.account, subject })) : [];
}

/** Time awards that one record gives at most, of the rows that a batch may hold. */
const PIECE = 1 / 4;
/** What a batch settles for commands that wait, of the rows that it may hold: the rest is for those of others. */
const SHARE_TO_SETTLE = 1 / 2;

/** A sweep waits for nobody: whom it leaves out stays due. */
const isHeld = ({ held }: Batch, { intent, submission }: EngineTask): boolean =>
  held.size > 0 && 'subject' in intent && (held.has(submission) || held.has(userKey(intent)));

/** Not so for a user who was held when the documents were loaded, and is not any more: the next batch loads theirs. */
const isLoaded = (batch: Batch, { intent }: EngineTask): boolean =>
  !('subject' in intent) || batch.documentOf(userKey(intent)) !== undefined;

/** What comes behind it, of its user or of its submission, must not overtake it. */
function hold({ held }: Batch, { intent, submission }: EngineTask): void {
  if (!('subject' in intent)) return;
  held.add(submission);
  held.add(userKey(intent));
}

/** An imported line that finds no import open opens one, without options. */
const openedBy = ({ account, importedBy: by }: RecordMetricEvent): Omit<OpenImport, 'type'> => ({
  account,
  options: { unboundedAwards: false, outgoing: false },
  attribution: by === undefined ? {} : { by },
});

const currentConfiguration = (account: Account) => {
  if (!account.history) throw new Error(`account ${account.name} has no configuration yet`);
  return account.history.current;
};
