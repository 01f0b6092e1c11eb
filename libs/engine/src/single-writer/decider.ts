import { localDate, type Instant, type LocalDate } from '@laurel/calendar';
import {
  closeImport,
  correctEvents,
  decide,
  isKeyed,
  metricEventRecorded,
  openImport,
  publishConfiguration,
  sweepUsers,
  viewedBy,
  type CloseImport,
  type Command,
  type Configuration,
  type CorrectionRecorded,
  type Fact,
  type KeyedCommand,
  type KeyFact,
  type KeyHash,
  type LogRecord,
  type NewEvent,
  type OpenImport,
  type Outcome,
  type PublishConfiguration,
  type Recorded,
  type RecordMetricEvent,
  type Refused,
  type RunFact,
  type Subject,
  type SweepUsers,
  type UserFact,
  type UserRecord,
  type UsersSwept,
  type UserState,
  type WebhookChanged,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { keysOf, originalAmong, type UsedKey } from '@laurel/event-store';
import { accountAfter, newAccount, type Account } from './account.ts';
import type { Batch, OriginalEvent } from './batch.ts';
import type { BatchStore } from './batch-store.ts';
import type { Chain, ChainResult } from './chain.ts';
import type { Committed } from './committed.ts';
import { isBlank, userKey, type Document, type UserRef } from '../folding/document.ts';
import { CorrectionRefusedError, type CorrectionFolds } from '../folding/corrected-fold.ts';
import { changesOf } from '../folding/event-changes.ts';
import { concerns, userRecordOf, type UserEvents } from '../folding/user-events.ts';
import { takeEvents } from '../folding/user-fold.ts';
import { refused, refusedBy } from './refused.ts';
import type { DecideOptions, Task } from './single-writer-queue.ts';
import { loadDocuments } from './load-documents.ts';
import { owedByNewcomer } from '../due/owed-by-newcomer.ts';
import type { Quarantine } from './quarantine.ts';
import type { CompileHistory } from '../folding/publications.ts';
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

interface RecordAccountFact {
  readonly type: 'RecordAccountFact';
  readonly account: string;
  readonly fact: KeyFact | WebhookChanged | RunFact;
  /** When it took place. */
  readonly at: Instant;
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
    const at = 'occurredAt' in intent ? (intent.occurredAt ?? receivedAt) : receivedAt;
    const bound = this.#pieceBound(batch, intent, at, rows);
    if (bound === null || this.#originalOf(batch, intent) !== undefined) return true;
    if (batch.settled > rows * SHARE_TO_SETTLE) return false;
    this.#sweepPiece(batch, intent, bound, receivedAt);
    return this.#pieceBound(batch, intent, at, rows) === null;
  }

  /** Up to when a first piece settles what a user is owed at `at`; null: it is no more than a piece. */
  #pieceBound(batch: Batch, user: UserRef, at: Instant, rows: number): Instant | null {
    // An area that has stopped would be owed the same again and again.
    if (batch.failures.size > 0) return null;
    const configuration = currentConfiguration(this.#accountOf(batch, user.account));
    const document = batch.documentOf(userKey(user)) as Document;
    const piece = Math.max(1, Math.floor(rows * PIECE));
    const bound = this.#parts.chain.settleBound(user, document, configuration, at, piece);
    return bound < at ? bound : null;
  }

  #sweepPiece(batch: Batch, { account, subject }: UserRef, bound: Instant, receivedAt: Instant): void {
    const before = batch.weight;
    const swept: UsersSwept = { type: 'UsersSwept', subjects: [subject] };
    const receipt = { eventId: this.#parts.newEventId(receivedAt), receivedAt };
    this.#apply(batch, this.#append(batch, account, receipt, { occurredAt: bound, event: swept }), false);
    batch.settled += batch.weight - before;
  }

  #decideOne(batch: Batch, task: EngineTask, rows: number, below: readonly LogRecord[]): Outcome {
    const { intent } = task;
    switch (intent.type) {
      case 'CorrectUser':
        return this.#correct(batch, task, intent, below);
      case 'SweepUsers':
        return this.#sweepUsers(batch, task, intent, rows);
      case 'PublishConfiguration':
      case 'OpenImport':
      case 'CloseImport':
      case 'RecordAccountFact':
        return this.#executeForAccount(batch, task, intent);
      default:
        return this.#execute(batch, task, intent);
    }
  }

  #execute(batch: Batch, task: EngineTask, command: Command): Outcome {
    const original = this.#originalOf(batch, command);
    const decision = decide(command, this.#userState(batch, task, command, original));
    switch (decision.kind) {
      case 'replay':
        return this.#replay(batch, task, command as KeyedCommand, original as OriginalEvent);
      case 'refusal':
        if (decision.reason === 'erased') this.#parts.onErased?.(command);
        return refusedBy(decision);
      case 'events': {
        const { record, made } = this.#carryOut(batch, task, command.account, decision.events);
        const { sections, pending, date, late } = made as ChainResult;
        const recorded = this.#recorded(batch, task, command.account, record);
        const { eventId, occurredAt } = recorded;
        if (isKeyed(command) && command.keyHash !== null)
          batch.setOriginal(command.keyHash, { eventId, date: date ?? localDate(occurredAt, 'UTC') });
        return { ...recorded, sections, pending, ...(late && { late }) };
      }
    }
  }

  #executeForAccount(batch: Batch, task: EngineTask, intent: AccountIntent): Outcome {
    const events = decideForAccount(intent, this.#accountOf(batch, intent.account), task.receivedAt);
    const { record } = this.#carryOut(batch, task, intent.account, events);
    return this.#recorded(batch, task, intent.account, record);
  }

  /** All that commands of a user are decided on, as the record would be applied to it. */
  #userState(
    batch: Batch,
    task: EngineTask,
    command: UserRef & (Command | CorrectUser),
    original: OriginalEvent | undefined,
  ): UserState {
    const document = batch.documentOf(userKey(command)) as Document;
    const user = this.#parts.chain.knownUser(document);
    return {
      now: task.receivedAt,
      original: original ?? null,
      user,
      isRecorded: !isBlank(document),
      owed: user.isCreated || command.type !== 'RecordMetricEvent' ? 0 : this.#owedBy(batch, task, command),
      openImport: this.#accountOf(batch, command.account).openImport?.options ?? null,
      areaStopped: batch.failures.size > 0,
    };
  }

  /** Time awards that a line owes a user whom it creates long ago. */
  #owedBy(batch: Batch, { receivedAt, eventId }: EngineTask, command: RecordMetricEvent): number {
    const { account, occurredAt } = command;
    if (occurredAt === null || batch.failures.size > 0) return 0;
    const configuration = currentConfiguration(this.#accountOf(batch, account));
    const record: LogRecord<UserFact> = {
      eventId,
      account,
      configurationVersion: configuration.version,
      occurredAt,
      recordedAt: receivedAt,
      fact: metricEventRecorded(command),
      position: batch.head + 1,
    };
    return owedByNewcomer(this.#parts.chain.userAreas, record, configuration, receivedAt);
  }

  /** Lets the folds take what was recorded of the user since they were committed, and puts what the correction makes of them in the place of what there is. */
  #correct(batch: Batch, task: EngineTask, intent: CorrectUser, below: readonly LogRecord[]): Outcome {
    const { account: name, correction } = intent;
    const account = this.#accountOf(batch, name);
    const folds = intent.folds.clone(account.history ?? undefined);
    const takeUncommitted = () => {
      for (const record of [...below, ...batch.records])
        if (record.position > folds.position && record.account === name && concerns(record, intent.subject))
          folds.apply(userRecordOf(record, intent.subject));
    };
    takeUncommitted();
    const original = correction.keyHash === null ? undefined : this.#originalWith(batch, correction.keyHash);
    const configuration = currentConfiguration(account);
    const state = this.#userState(batch, task, intent, original);
    const isDue = !state.areaStopped && this.#isDue(batch, intent, configuration, task.receivedAt);
    const decision = correctEvents(correction, { ...state, isDue, isOvertaken: folds.isOvertaken });
    switch (decision.kind) {
      case 'replay':
        return { kind: 'replayed', eventId: decision.eventId, configuration, sections: {}, pending: [] };
      case 'refusal':
        return refusedBy(decision);
      case 'events':
        this.#carryOut(
          batch,
          { ...task, eventId: this.#parts.newEventId(task.receivedAt) },
          name,
          decision.events.filter(isSweep),
        );
        takeUncommitted();
        return batch.failures.size > 0
          ? refused('area_stopped', null)
          : this.#recordCorrection(batch, task, intent, folds);
    }
  }

  #recordCorrection(batch: Batch, task: EngineTask, intent: CorrectUser, folds: CorrectionFolds): Outcome {
    const { correction } = intent;
    const changesFinalRuns = correction.finalRuns === 'change';
    const event = { occurredAt: task.receivedAt, event: correction };
    const record = this.#recordOf(batch, intent.account, task, event);
    try {
      const corrected = folds.finish(record, batch.documentOf(userKey(intent)) as Document);
      this.#parts.chain.assertFewRuns(corrected, changesFinalRuns);
      batch.records.push(record);
      this.#parts.chain.correct(batch, intent, corrected, changesFinalRuns);
    } catch (error) {
      if (error instanceof CorrectionRefusedError) return refusedByFolds(error);
      throw error;
    }
    for (const [key, retracted] of folds.keys) {
      const used = this.#originalWith(batch, key);
      if (used !== undefined) batch.setOriginal(key, { ...used, retracted });
    }
    const date = localDate(task.receivedAt, 'UTC');
    if (correction.keyHash !== null) batch.setOriginal(correction.keyHash, { eventId: task.eventId, date });
    return this.#recorded(batch, task, intent.account, record);
  }

  #isDue(batch: Batch, user: UserRef, configuration: Configuration, at: Instant): boolean {
    const due = this.#parts.chain.dueAt(user, batch.documentOf(userKey(user)) as Document, configuration);
    return due !== null && due <= at;
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
   * Settles what fell due. Users for whom this batch has no room stay due, and the next step finds them.
   */
  #sweepUsers(batch: Batch, task: EngineTask, intent: SweepUsers, rows: number): Outcome {
    const { account: name } = intent;
    const account = this.#accountOf(batch, name);
    const isImporting = account.openImport !== null;
    const subjects = isImporting ? [] : this.#dueAmong(batch, task, intent, rows);
    const decision = sweepUsers({ ...intent, subjects }, { now: task.receivedAt, isImporting });
    const { record } = this.#carryOut(batch, task, name, decision.events);
    return this.#recorded(batch, task, name, record);
  }

  /** The users who are still due. What is more than a piece is settled before. */
  #dueAmong(
    batch: Batch,
    { receivedAt: at }: EngineTask,
    { account, subjects }: SweepUsers,
    rows: number,
  ): readonly Subject[] {
    const configuration = currentConfiguration(this.#accountOf(batch, account));
    const due: Subject[] = [];
    for (const subject of subjects) {
      const user = { account, subject };
      const left = this.#parts.quarantine.holds(user) || batch.documentOf(userKey(user)) === undefined;
      if (left || batch.held.has(userKey(user))) continue;
      for (let bound; batch.weight <= rows && (bound = this.#pieceBound(batch, user, at, rows)) !== null;)
        this.#sweepPiece(batch, user, bound, at);
      if (batch.weight > rows) break;
      if (this.#isDue(batch, user, configuration, at)) due.push(subject);
      else batch.setDocument(user, batch.documentOf(userKey(user)) as Document, configuration);
    }
    return due;
  }

  #originalOf(batch: Batch, intent: Intent): OriginalEvent | undefined {
    if (!isKeyed(intent)) return undefined;
    for (const [key] of keysOf(intent)) {
      const original = this.#originalWith(batch, key);
      if (original !== undefined) return original;
    }
    return undefined;
  }

  #originalWith(batch: Batch, key: KeyHash): OriginalEvent | undefined {
    return batch.originalOf(key) ?? this.#parts.committed.keys.get(key);
  }

  /**
   * Appends the events that were decided and applies each before the next. The last one bears the id that the caller is told.
   * @returns the last one, and what the chain made of it if it is an event of one user; null: there are none
   */
  #carryOut(batch: Batch, task: EngineTask, account: string, events: readonly NewEvent[]): CarriedOut {
    let last: CarriedOut = { record: null, made: null };
    for (const [index, event] of events.entries()) {
      const eventId = index === events.length - 1 ? task.eventId : this.#parts.newEventId(task.receivedAt);
      const record = this.#append(batch, account, { eventId, receivedAt: task.receivedAt }, event);
      last = { record, made: this.#apply(batch, record, !task.receiptOnly) };
    }
    return last;
  }

  #append(batch: Batch, name: string, receipt: Receipt, event: NewEvent): LogRecord {
    const record = this.#recordOf(batch, name, receipt, event);
    batch.records.push(record);
    const account = this.#accountOf(batch, name);
    const after = accountAfter(account, record, this.#parts.compileHistory);
    if (after !== account) batch.setAccount(after);
    return record;
  }

  #recordOf<Event extends Fact>(
    batch: Batch,
    account: string,
    { eventId, receivedAt }: Receipt,
    { occurredAt, event }: NewEvent<Event>,
  ): LogRecord<Event> {
    return {
      eventId,
      account,
      configurationVersion:
        event.type === 'ConfigurationPublished'
          ? event.version
          : currentConfiguration(this.#accountOf(batch, account)).version,
      occurredAt,
      // Never before the record before it, whatever the clock did meanwhile.
      recordedAt: Math.max(receivedAt, batch.recordedAt),
      fact: event,
      position: batch.head + 1,
    };
  }

  #apply(batch: Batch, record: LogRecord, wantsSections: boolean): ChainResult | null {
    const { account, fact } = record;
    const configuration = currentConfiguration(this.#accountOf(batch, account));
    if (fact.type === 'UsersSwept') {
      for (const [place, subject] of fact.subjects.entries()) {
        const swept: UserRecord = { ...record, fact: { type: 'UserSwept', subject, place } };
        this.#parts.chain.apply(batch, { account, subject }, swept, configuration, false);
      }
      return null;
    }
    if (!('subject' in fact)) return null;
    const user = { account, subject: fact.subject };
    return this.#parts.chain.apply(batch, user, { ...record, fact }, configuration, wantsSections);
  }

  /** @param record null: nothing had to be recorded */
  #recorded(batch: Batch, task: EngineTask, account: string, record: LogRecord | null): Recorded {
    return {
      kind: 'recorded',
      eventId: task.eventId,
      position: record?.position ?? 0,
      occurredAt: record?.occurredAt ?? task.receivedAt,
      configuration: currentConfiguration(this.#accountOf(batch, account)),
      sections: {},
      pending: [],
    };
  }

  #accountOf(batch: Batch, name: string): Account {
    return batch.accountOf(name) ?? this.#parts.committed.accounts.get(name) ?? newAccount(name);
  }
}

/** What the caller of a command is told of its event before that is recorded. */
type Receipt = Pick<EngineTask, 'eventId' | 'receivedAt'>;

interface CarriedOut {
  readonly record: LogRecord | null;
  readonly made: ChainResult | null;
}

type AccountIntent = PublishConfiguration | OpenImport | CloseImport | RecordAccountFact;

function decideForAccount(intent: AccountIntent, account: Account, now: Instant): readonly NewEvent[] {
  const openedWith = account.openImport?.options ?? null;
  switch (intent.type) {
    case 'PublishConfiguration': {
      const latestVersion = account.publications.at(-1)?.version ?? 0;
      return [publishConfiguration(intent, { now, latestVersion, holdsEvents: account.holdsEvents })];
    }
    case 'OpenImport':
      return openImport(intent, { now, openImport: openedWith }).events;
    case 'CloseImport':
      return closeImport(intent, { now, isImporting: openedWith !== null }).events;
    case 'RecordAccountFact':
      return [{ occurredAt: intent.at, event: intent.fact }];
  }
}

const isSweep = ({ event }: NewEvent): boolean => event.type === 'UsersSwept';

const NONE: ReadonlySet<number> = new Set();

const refusedByFolds = ({ reason, of }: CorrectionRefusedError): Refused => ({
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

const currentConfiguration = (account: Account) => {
  if (!account.history) throw new Error(`account ${account.name} has no configuration yet`);
  return account.history.current;
};
