import type { Instant } from '@laurel/calendar';
import {
  ALWAYS_MADE,
  outcomesOfEvent,
  type AccountFact,
  type Configuration,
  type ConfigurationHistory,
  type LogRecord,
  type OutcomeType,
  type RunFact,
  type Subject,
  type UserRecord,
  type UserRef,
} from '@laurel/kernel';
import { Failing, repeat, type CancelTimer, type Clock, type DatedProfile } from '@laurel/ports';
import { KEPT_BY_DEFAULT, keptMs, userAnswer } from '@laurel/schemas';
import { candidatesOfAccount, candidatesOfUser } from '../outcomes/candidates.ts';
import { composeOutcomes } from '../outcomes/compose-outcome.ts';
import type { ChangeAsked, ChangingFact, FinalRun } from '../outcomes/final-runs.ts';
import { isWanted } from '../outcomes/preferences.ts';
import { MOST_RANKINGS, type RunStanding, type UserEvent } from '../outcomes/source-event.ts';
import { MOST_HELD_BACK_MS, type OldestNeeded } from '../ports.ts';
import type { NewOutcome, OutcomeCursor, PostgresOutcomes } from '../stored/postgres-outcomes.ts';
import { afterRecord, NO_IMPORT, type ImportBracket } from './import-bracket.ts';
import { mostUsers, ranksNeeded, type RanksAsked } from './ranks-needed.ts';

/** A user, and what an event caused for them. */
export interface Caused extends Pick<
  UserEvent,
  'userId' | 'effects' | 'standing' | 'awardIdOf' | 'runEndOf' | 'topOf'
> {
  readonly profile: DatedProfile;
}

export interface OutcomeReaderParts {
  readonly store: Pick<PostgresOutcomes, 'cursor' | 'begin' | 'write' | 'deleteOld' | 'forget' | 'forgetErased'>;
  readonly log: {
    read(after: number, limit: number): Promise<readonly LogRecord[]>;
    readAccountFacts(account: string, types: readonly AccountFact['type'][]): Promise<readonly LogRecord[]>;
    /** Records of an account that somebody made by hand, or a process on its own, corrections and erasures among them; see `AdministrativeLog`. */
    readAdministrativeBehind(account: string, after: number, limit: number): Promise<readonly LogRecord[]>;
    head(): Promise<number>;
  };
  /** What these events caused, in their order; null: nobody knows the user any more. */
  readonly caused: (
    account: string,
    records: readonly UserRecord[],
    ranks: RanksAsked,
  ) => Promise<readonly (Caused | null)[]>;
  /** The runs of these events as they were then, with the first so many of each, in their order. */
  readonly runs: (
    account: string,
    records: readonly LogRecord<RunFact>[],
    most: number,
  ) => Promise<readonly RunStanding[]>;
  /** The runs that these corrections and imports changed after they were final, in their order; null: it does not go on. */
  readonly finalRuns: (
    account: string,
    asked: readonly ChangeAsked[],
    goesOn: () => boolean,
  ) => Promise<readonly (readonly FinalRun[])[] | null>;
  readonly configurations: (account: string) => ConfigurationHistory;
  /** The position up to which every area has applied the log. */
  readonly applied: () => number;
  /** Of the first records up to there, those that every area has applied, as far as none is missing between them; absent: all. */
  readonly settled?: (records: readonly LogRecord[]) => Promise<readonly LogRecord[]>;
  readonly oldestNeeded: OldestNeeded;
  /** Deletes what was stored only for records that were looked at, as long as `goesOn`; absent: another process does. */
  readonly deleteTold?: (goesOn: () => boolean) => Promise<unknown>;
  readonly clock: Clock;
  /** It is tried again a second later. */
  readonly onFailure: (error: unknown) => void;
}

/** Versions of the configuration by the position at which they came into force; a version may be published again. */
interface Publication {
  readonly position: number;
  readonly version: number;
}

/** A stretch of the log under one version of the configuration: the events behind `after`, up to `upTo`. */
interface Stretch {
  readonly after: number;
  readonly upTo: number;
  readonly version: number;
}

/** Events that were looked at, and how far. */
interface Looked {
  readonly records: readonly LogRecord[];
  readonly upTo: number;
  readonly more: boolean;
}

/** What is made where a version of the configuration says nothing of outcomes. */
const UNNAMED = { types: new Set(ALWAYS_MADE), keepMs: keptMs(KEPT_BY_DEFAULT) ?? 0 };

const EVERY_MS = 1_000;
/** Between two rounds, so that each of their statements serves many events. */
const GATHER_MS = 100;
const RECORDS_AT_A_TIME = 250;
/** Fewer events are looked through again for what is done by hand: a cursor that moved with each would cost a write. */
const PASSED_OVER_AT_A_TIME = 10_000;
/** A database that is slow, or that fails for a moment, has more time than one of its statements may take. */
const LONGEST_CATCH_UP_MS = 20_000;
const DELETE_EVERY_MS = 60_000;
const DELETED_AT_A_TIME = 1_000;

/**
 * Makes the outcomes of an account from the log and its effects, once every area has applied them (ADR 0040). Under a version of the
 * configuration that says nothing of outcomes, it reads only what is done by hand: corrections and erasures always make outcomes.
 */
export class OutcomeReader {
  readonly #parts: OutcomeReaderParts;
  readonly #account: string;
  readonly #failing: Failing;
  #stopTimers: readonly CancelTimer[] = [];
  #running: Promise<void> | null = null;
  #deleting: Promise<void> = Promise.resolve();
  #isWoken = false;
  /** Ends the pause behind the last round; null: there is none. */
  #endPause: CancelTimer | null = null;
  #isClosed = false;
  #isPurged = false;
  /** They wait for the end of a round that begins after them. */
  readonly #waiting = new Set<(isThrough: boolean) => void>();
  /** null: to be read. */
  #cursor: OutcomeCursor | null = null;
  #publications: readonly Publication[] = [];
  /** As of which these publications are. */
  #current: Configuration | null = null;
  #imports: { readonly position: number; readonly bracket: ImportBracket } | null = null;

  constructor(parts: OutcomeReaderParts, account: string) {
    this.#parts = parts;
    this.#account = account;
    this.#failing = new Failing(parts.clock);
  }

  /** For how long no outcomes could be made; 0: they could when it last looked. */
  get failingMs(): number {
    return this.#failing.ms;
  }

  /** From now on outcomes are made as events come, and deleted as they become too old. */
  begin(): void {
    const { clock, onFailure } = this.#parts;
    this.#stopTimers = [
      repeat(clock, EVERY_MS, async () => this.wake(), onFailure),
      repeat(clock, DELETE_EVERY_MS, () => (this.#deleting = this.deleteOld()), onFailure),
    ];
    this.wake();
  }

  /** Something may have been applied. It is looked at at once, or 100 ms after what was looked at last. */
  wake(): void {
    this.#isWoken = true;
    this.#next();
  }

  /** Resolves with true once outcomes are made of what every area has applied by now; with false after 20 s, or if it is closed. */
  async caughtUp(): Promise<boolean> {
    if (this.#isClosed) return false;
    return new Promise((resolve) => {
      const end = (isThrough: boolean): void => {
        this.#waiting.delete(end);
        cancel();
        resolve(isThrough);
      };
      const cancel = this.#parts.clock.after(LONGEST_CATCH_UP_MS, () => end(false));
      this.#waiting.add(end);
      this.#isWoken = true;
      if (this.#endPause === null) return this.#next();
      this.#endPause();
      this.#afterPause();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stopTimers) stop();
    this.#endPause?.();
    for (const end of this.#waiting) end(false);
    await Promise.allSettled([this.#running, this.#deleting]);
  }

  /** Makes what can be made now. @throws Error if the database cannot be read or written; what was written stays. */
  async catchUp(): Promise<void> {
    if (this.#history() === null) return;
    if (!this.#isPurged) this.#isPurged = await this.#parts.store.forgetErased(this.#account, () => !this.#isClosed);
    while (!this.#isClosed && (await this.#step()));
  }

  /** Deletes an erased user's outcomes, also those written during the deletion. Never rejects. */
  async forget({ subject }: UserRef): Promise<void> {
    const { store } = this.#parts;
    try {
      await store.forget(subject);
      if (this.#running === null) return;
      await this.#running;
      await store.forget(subject);
    } catch (error) {
      this.#isPurged = false;
      this.#parts.onFailure(error);
    }
  }

  /**
   * Deletes outcomes that are older than the newest configuration with outcomes says, unless somebody still needs them, and what only
   * outcomes that were made needed.
   */
  async deleteOld(): Promise<void> {
    // Before that nobody knows how long they are kept.
    if (!(await this.#refreshPublications())) return;
    const keepMs = this.#keepMs();
    const now = this.#parts.clock.now();
    const needed = await this.#parts.oldestNeeded(this.#account);
    await this.#delete(now - keepMs, needed);
    if (needed !== null) await this.#delete(now - Math.max(keepMs, MOST_HELD_BACK_MS), null);
    await this.#parts.deleteTold?.(() => !this.#isClosed);
  }

  async #delete(before: Instant, needed: number | null): Promise<void> {
    const { store } = this.#parts;
    const some = () => store.deleteOld(this.#account, before, DELETED_AT_A_TIME, needed);
    while (!this.#isClosed && (await some()) === DELETED_AT_A_TIME);
  }

  #next(): void {
    if (!this.#isWoken || this.#isClosed || this.#running !== null || this.#endPause !== null) return;
    this.#isWoken = false;
    const waiting = [...this.#waiting];
    this.#running = this.#round().then((isThrough) => {
      this.#running = null;
      if (isThrough) for (const end of waiting) end(true);
      if (this.#waiting.size > 0) this.#isWoken = true;
      if (isThrough && this.#waiting.size > 0) return this.#next();
      if (!this.#isClosed) this.#endPause = this.#parts.clock.after(GATHER_MS, () => this.#afterPause());
    });
  }

  #afterPause(): void {
    this.#endPause = null;
    this.#next();
  }

  /** Answers whether it was not given up. */
  async #round(): Promise<boolean> {
    try {
      await this.#failing.try(() => this.catchUp());
      return true;
    } catch (error) {
      this.#cursor = null;
      this.#parts.onFailure(error);
      return false;
    }
  }

  /** Answers whether there was more when it read. */
  async #step(): Promise<boolean> {
    const { store, applied } = this.#parts;
    if (!(await this.#refreshPublications())) return false;
    this.#cursor ??= (await store.cursor(this.#account)) ?? (await this.#begin());
    const from = this.#cursor;
    const head = applied();
    const stretch = from && this.#stretchBehind(from.position);
    if (!from || !stretch || head <= stretch.after) return false;
    const isNamed = this.#definition(stretch.version) !== null;
    const { records, upTo, more } = await (isNamed
      ? this.#look(stretch, head)
      : this.#lookForCorrections(stretch, head));
    if (upTo <= from.position) return false;
    const bracket = isNamed ? await this.#bracketAt(stretch.after) : NO_IMPORT;
    const made = await this.#make(records, bracket, from.sequence);
    if (made === null) return false;
    const to = { position: upTo, sequence: from.sequence + made.outcomes.length };
    const erased = records.flatMap(({ fact }) => (fact.type === 'UserErased' ? [fact.subject] : []));
    const step = { from, to, outcomes: made.outcomes, erased, writtenAt: this.#parts.clock.now() };
    let isWritten = false;
    try {
      isWritten = await store.write(this.#account, step);
    } finally {
      // If only its answer was lost, it may still go through, with outcomes of somebody who has been erased by then.
      if (!isWritten) this.#isPurged = false;
    }
    this.#cursor = isWritten ? to : null;
    this.#imports = isNamed ? { position: upTo, bracket: made.bracket } : null;
    return !isWritten || more;
  }

  /** Of an account without a cursor: at the first version that names outcomes, or else behind everything that there is. */
  async #begin(): Promise<OutcomeCursor | null> {
    const { store, log } = this.#parts;
    const head = await log.head();
    // One of those up to there may have been published since they were read.
    const knowsAll = await this.#readPublications();
    const named = this.#publications.find(({ version }) => this.#definition(version) !== null);
    if (named === undefined && !knowsAll) return null;
    await store.begin(this.#account, named === undefined ? head : named.position - 1);
    return store.cursor(this.#account);
  }

  async #look({ after, upTo, version }: Stretch, head: number): Promise<Looked> {
    const read = await this.#parts.log.read(after, RECORDS_AT_A_TIME);
    const most = mostUsers(this.#definition(version));
    this.#noticePublication(read);
    const reached = read.filter(({ position }) => position <= Math.min(head, upTo));
    const records = atATime(await this.#settled(reached), most);
    const last = records.at(-1)?.position ?? after;
    const newest = read.length === RECORDS_AT_A_TIME ? Infinity : (read.at(-1)?.position ?? 0);
    return { records, upTo: last, more: last < Math.min(head, newest) };
  }

  /** Everything else of the stretch is passed over: to its end once there is a version behind it, and else now and then. */
  async #lookForCorrections({ after, upTo }: Stretch, head: number): Promise<Looked> {
    const end = head < Infinity ? head : await this.#parts.log.head();
    const read = await this.#parts.log.readAdministrativeBehind(this.#account, after, RECORDS_AT_A_TIME);
    if (this.#noticePublication(read)) return { records: [], upTo: after, more: true };
    const within = read.filter(({ position }) => position <= Math.min(head, upTo));
    const records = await this.#settled(within);
    const isThrough =
      records.length === within.length && (within.length < read.length || read.length < RECORDS_AT_A_TIME);
    const isOver = isThrough && head > upTo && upTo < Infinity;
    const looked = records.at(-1)?.position ?? after;
    const passed = isThrough && end - looked >= PASSED_OVER_AT_A_TIME ? end : looked;
    const last = isOver ? upTo : Math.min(passed, upTo);
    return { records: records.filter(isAlwaysNotified), upTo: last, more: isOver || read.length === RECORDS_AT_A_TIME };
  }

  /** The first that every area has applied, as far as none is missing between them, under versions that this process has learned of. */
  async #settled(records: readonly LogRecord[]): Promise<readonly LogRecord[]> {
    const history = this.#parts.configurations(this.#account);
    const unknown = records.findIndex(({ configurationVersion }) => !holds(history, configurationVersion));
    const known = unknown < 0 ? records : records.slice(0, unknown);
    return (await this.#parts.settled?.(known)) ?? known;
  }

  /**
   * The log that is read may be behind the publications that this process has learned of. Answers whether one of them has come with
   * these records: then where they stand is read again.
   */
  #noticePublication(records: readonly LogRecord[]): boolean {
    const history = this.#parts.configurations(this.#account);
    for (const { account, position, fact } of records) {
      if (fact.type !== 'ConfigurationPublished' || account !== this.#account) continue;
      if (this.#publications.some((known) => known.position === position)) continue;
      const isKnown = holds(history, fact.version);
      if (isKnown) this.#current = null;
      return isKnown;
    }
    return false;
  }

  /** Answers whether a configuration is in force. */
  async #refreshPublications(): Promise<boolean> {
    const history = this.#history();
    if (history === null) return false;
    if (this.#current !== history.current) {
      await this.#readPublications();
      this.#current = history.current;
    }
    return this.#publications.length > 0;
  }

  /** Up to the first version that this process has not learned of. Answers whether it knows all of them. */
  async #readPublications(): Promise<boolean> {
    const facts = await this.#parts.log.readAccountFacts(this.#account, ['ConfigurationPublished']);
    const publications = facts.flatMap(({ position, fact }) =>
      fact.type === 'ConfigurationPublished' ? [{ position, version: fact.version }] : [],
    );
    const history = this.#parts.configurations(this.#account);
    const unknown = publications.findIndex(({ version }) => !holds(history, version));
    this.#publications = unknown < 0 ? publications : publications.slice(0, unknown);
    return unknown < 0;
  }

  /** The first stretch that has something behind a position; null: there is none. */
  #stretchBehind(position: number): Stretch | null {
    for (const [index, publication] of this.#publications.entries()) {
      const upTo = (this.#publications[index + 1]?.position ?? Infinity) - 1;
      if (upTo > position)
        return { after: Math.max(position, publication.position - 1), upTo, version: publication.version };
    }
    return null;
  }

  async #bracketAt(position: number): Promise<ImportBracket> {
    if (this.#imports?.position === position) return this.#imports.bracket;
    const facts = await this.#parts.log.readAccountFacts(this.#account, ['ImportOpened', 'ImportClosed']);
    return facts.filter((record) => record.position <= position).reduce(afterRecord, NO_IMPORT);
  }

  /** null: it was closed meanwhile. */
  async #make(records: readonly LogRecord[], before: ImportBracket, sequence: number) {
    let bracket = before;
    const planned: Planned[] = [];
    for (const record of records) {
      const { opened } = bracket;
      bracket = afterRecord(bracket, record);
      if (record.account !== this.#account) continue;
      const definition = this.#definition(record.configurationVersion) ?? UNNAMED;
      if (isLeftOut(record, bracket)) continue;
      // What an event itself causes is never of the past, however long ago the event of an import was.
      const dueFrom = Math.min(bracket.dueFrom, record.occurredAt);
      planned.push({ record, types: definition.types, dueFrom, users: usersOf(record), opened });
    }
    const events = planned.flatMap(({ users }) => users);
    const ranks = ranksNeeded(planned);
    const caused = events.length === 0 ? [] : await this.#parts.caused(this.#account, events, ranks);
    const runs = await this.#runsOf(planned);
    const finalRuns = await this.#finalRunsOf(planned);
    if (finalRuns === null) return null;
    const history = this.#parts.configurations(this.#account);
    const outcomes: NewOutcome[] = [];
    let place = 0;
    for (const { record, types, dueFrom, users } of planned) {
      const next = sequence + outcomes.length;
      const changed = finalRuns.get(record) ?? [];
      const configuration = history.at(record.configurationVersion);
      const event = { record, configuration, finalRuns: changed, run: runs.get(record) ?? null };
      const candidates = users.length > 0 ? [] : candidatesOfAccount(event, types);
      outcomes.push(...composeOutcomes({ record, place: 0, user: null }, candidates, next));
      for (const own of users) {
        const wanted = { types, dueFrom, sequence: sequence + outcomes.length, finalRuns: changed };
        outcomes.push(...this.#ofUser(own, caused[place++] ?? null, wanted));
      }
    }
    return { outcomes, bracket };
  }

  /** The runs that began and ended, of the types that are named, by their records. */
  async #runsOf(planned: readonly Planned[]): Promise<ReadonlyMap<LogRecord, RunStanding>> {
    const ofRuns = planned.flatMap(({ record, types }) =>
      isOfRun(record) && outcomesOfEvent(record.fact.type).some((type) => types.has(type)) ? [record] : [],
    );
    if (ofRuns.length === 0) return NO_RUNS;
    const standings = await this.#parts.runs(this.#account, ofRuns, MOST_RANKINGS);
    return new Map(ofRuns.map((record, index) => [record, standings[index] as RunStanding]));
  }

  /** By the record that changed them; null: it was closed meanwhile. */
  async #finalRunsOf(planned: readonly Planned[]): Promise<ReadonlyMap<LogRecord, readonly FinalRun[]> | null> {
    const changes = planned.flatMap(changeOf);
    if (changes.length === 0) return new Map();
    const changed = await this.#parts.finalRuns(this.#account, changes, () => !this.#isClosed);
    return changed && new Map(changes.map(({ record }, index) => [record, changed[index] ?? []]));
  }

  #ofUser(
    record: UserRecord,
    caused: Caused | null,
    { types, dueFrom, sequence, finalRuns }: Wanted,
  ): readonly NewOutcome[] {
    const place = record.fact.type === 'UserSwept' ? record.fact.place : 0;
    const isErasure = record.fact.type === 'UserErased';
    if (caused === null && !isErasure) return [];
    const {
      userId = '',
      effects = [],
      standing = null,
      awardIdOf = unknown,
      runEndOf = unknown,
      topOf = unknown,
    } = caused ?? {};
    const configuration = this.#parts.configurations(this.#account).at(record.configurationVersion);
    const madeAt = this.#parts.clock.now();
    const made = candidatesOfUser(
      { record, userId, effects, finalRuns, configuration, madeAt, dueFrom, standing, awardIdOf, runEndOf, topOf },
      types,
    );
    const candidates = made.filter(({ type }) => caused === null || isWanted(type, caused.profile.notifications));
    if (candidates.length === 0) return [];
    const user =
      caused === null || isErasure
        ? null
        : { subject: record.fact.subject, answer: userAnswer(caused.userId, caused.profile) };
    return composeOutcomes({ record, place, user }, candidates, sequence);
  }

  #definition(version: number) {
    return this.#history()?.at(version).outgoing ?? null;
  }

  #keepMs(): number {
    const newest = this.#publications.findLast(({ version }) => this.#definition(version) !== null);
    return (newest && this.#definition(newest.version)?.keepMs) ?? UNNAMED.keepMs;
  }

  /** null: nothing was published yet. */
  #history(): ConfigurationHistory | null {
    try {
      return this.#parts.configurations(this.#account);
    } catch {
      return null;
    }
  }
}

function holds(history: ConfigurationHistory, version: number): boolean {
  try {
    history.at(version);
    return true;
  } catch {
    return false;
  }
}

/** Whether it makes an outcome under any version. */
const isAlwaysNotified = ({ fact }: LogRecord): boolean =>
  outcomesOfEvent(fact.type).some((type) => ALWAYS_MADE.includes(type));

const isOfRun = (record: LogRecord): record is LogRecord<RunFact> =>
  record.fact.type === 'LeaderboardRunStarted' || record.fact.type === 'LeaderboardRunEnded';

interface Wanted {
  readonly types: ReadonlySet<OutcomeType>;
  readonly dueFrom: Instant;
  readonly sequence: number;
  readonly finalRuns: readonly FinalRun[];
}

interface Planned extends Pick<Wanted, 'types' | 'dueFrom'> {
  readonly record: LogRecord;
  /** The record as it concerns each of its users. */
  readonly users: readonly UserRecord[];
  /** Where the import was opened that was open directly before the record. */
  readonly opened: ImportBracket['opened'];
}

const isChanging = (record: LogRecord): record is LogRecord<ChangingFact> =>
  record.fact.type === 'CorrectionRecorded' || record.fact.type === 'ImportClosed';

/** What a correction changed has its position; what an import did lies between its beginning and its end. */
function changeOf({ record, types, opened }: Planned): readonly ChangeAsked[] {
  if (!isChanging(record)) return [];
  const { position, recordedAt, fact } = record;
  if (fact.type === 'CorrectionRecorded') return [{ record, since: { position: position - 1, recordedAt } }];
  return opened !== null && types.has('import.finished') ? [{ record, since: opened }] : [];
}

const unknown = (): never => {
  throw new Error('an erasure has no effects that make outcomes');
};

const isLeftOut = ({ fact }: LogRecord, { outgoing }: ImportBracket): boolean =>
  fact.type === 'MetricEventRecorded' && fact.imported && !outgoing;

const subjectsOf = ({ fact }: LogRecord): readonly Subject[] => {
  if (fact.type === 'UsersSwept') return fact.subjects;
  return 'subject' in fact ? [fact.subject] : [];
};

function usersOf(record: LogRecord): readonly UserRecord[] {
  const { fact } = record;
  if (fact.type === 'UsersSwept')
    return fact.subjects.map((subject, place) => ({ ...record, fact: { type: 'UserSwept', subject, place } }));
  return 'subject' in fact ? [{ ...record, fact }] : [];
}

const NO_RUNS: ReadonlyMap<LogRecord, RunStanding> = new Map();

/** Those whom it concerns; of a run, those whom it names. */
const usersIn = (record: LogRecord): number => (isOfRun(record) ? MOST_RANKINGS : subjectsOf(record).length);

/** As many of the first as fit into memory together, at least one. */
function atATime(records: readonly LogRecord[], most: number): readonly LogRecord[] {
  let users = 0;
  const first = records.findIndex((record, index) => (users += usersIn(record)) > most && index > 0);
  return first < 0 ? records : records.slice(0, first);
}
