import type { Instant } from '@laurel/calendar';
import { ALWAYS_MADE, outcomesOfEvent, type RecordedEvent, type UserRef } from '@laurel/kernel';
import { Failing, repeat, type CancelTimer } from '@laurel/ports';
import { MOST_HELD_BACK_MS } from '../ports.ts';
import type { OutcomeCursor } from '../stored/postgres-outcomes.ts';
import { afterRecord, NO_IMPORT, type ImportBracket } from './import-bracket.ts';
import { atATime, makeOutcomes } from './make-outcomes.ts';
import { PublishedVersions, type Stretch } from './published-versions.ts';
import { mostUsers } from './ranks-needed.ts';
import type { OutcomeReaderDependencies } from './reader-dependencies.ts';
import { Rounds } from './rounds.ts';

/** The events that were examined, and the position up to which. */
interface Looked {
  readonly records: readonly RecordedEvent[];
  readonly upTo: number;
  readonly more: boolean;
}

const EVERY_MS = 1_000;
const RECORDS_AT_A_TIME = 250;
/** The cursor is not moved for fewer skipped events than this alone, because each move is a write. */
const PASSED_OVER_AT_A_TIME = 10_000;
const DELETE_EVERY_MS = 60_000;
const DELETED_AT_A_TIME = 1_000;

/**
 * Makes the outcomes of an account from the log and its effects, once every area has applied them (ADR 0040). Under a version of the
 * configuration without `outgoing` it reads only records that people or processes made: corrections and erasures always make outcomes.
 */
export class OutcomeReader {
  readonly #dependencies: OutcomeReaderDependencies;
  readonly #account: string;
  readonly #versions: PublishedVersions;
  readonly #rounds: Rounds;
  readonly #failing: Failing;
  #stopTimers: readonly CancelTimer[] = [];
  #deleting: Promise<void> = Promise.resolve();
  #isClosed = false;
  #isPurged = false;
  /** null if it has to be read. */
  #cursor: OutcomeCursor | null = null;
  #imports: { readonly position: number; readonly bracket: ImportBracket } | null = null;

  constructor(dependencies: OutcomeReaderDependencies, account: string) {
    this.#dependencies = dependencies;
    this.#account = account;
    this.#versions = new PublishedVersions(dependencies, account);
    this.#rounds = new Rounds(dependencies.clock, () => this.#round());
    this.#failing = new Failing(dependencies.clock);
  }

  /** How long making outcomes has failed; 0 if the last round succeeded. */
  get failingMs(): number {
    return this.#failing.ms;
  }

  /** Starts to make outcomes as events come, and to delete old ones. */
  begin(): void {
    const { clock, onFailure } = this.#dependencies;
    this.#stopTimers = [
      repeat(clock, EVERY_MS, async () => this.wake(), onFailure),
      repeat(clock, DELETE_EVERY_MS, () => (this.#deleting = this.deleteOld()), onFailure),
    ];
    this.wake();
  }

  /** Called when something may have been applied. A round begins at once, or 100 ms after the last one. */
  wake(): void {
    this.#rounds.wake();
  }

  /** Resolves with true once outcomes are made of what every area has applied by now; with false after 20 s, or if it is closed. */
  caughtUp(): Promise<boolean> {
    return this.#rounds.caughtUp();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stopTimers) stop();
    this.#rounds.close();
    await Promise.allSettled([this.#rounds.running, this.#deleting]);
  }

  /** Makes what can be made now. @throws Error if the database cannot be read or written; outcomes written before it stay. */
  async catchUp(): Promise<void> {
    if (this.#versions.history() === null) return;
    if (!this.#isPurged)
      this.#isPurged = await this.#dependencies.store.forgetErased(this.#account, () => !this.#isClosed);
    while (!this.#isClosed && (await this.#step()));
  }

  /** Deletes an erased user's outcomes, also those written during the deletion. Never rejects. */
  async forget({ subject }: UserRef): Promise<void> {
    const { store } = this.#dependencies;
    try {
      await store.forget(subject);
      if (this.#rounds.running === null) return;
      await this.#rounds.running;
      await store.forget(subject);
    } catch (error) {
      this.#isPurged = false;
      this.#dependencies.onFailure(error);
    }
  }

  /**
   * Deletes outcomes that are older than the newest configuration with outcomes allows, unless somebody still needs them, and rows that
   * were stored only until outcomes were made.
   */
  async deleteOld(): Promise<void> {
    // Without a configuration it is unknown how long they are kept.
    if (!(await this.#versions.refresh())) return;
    const keepMs = this.#versions.keepMs();
    const now = this.#dependencies.clock.now();
    const needed = await this.#dependencies.oldestNeeded(this.#account);
    await this.#delete(now - keepMs, needed);
    if (needed !== null) await this.#delete(now - Math.max(keepMs, MOST_HELD_BACK_MS), null);
    await this.#dependencies.deleteNotified?.(() => !this.#isClosed);
  }

  async #delete(before: Instant, needed: number | null): Promise<void> {
    const { store } = this.#dependencies;
    const some = () => store.deleteOld(this.#account, before, DELETED_AT_A_TIME, needed);
    while (!this.#isClosed && (await some()) === DELETED_AT_A_TIME);
  }

  /** @returns whether the round succeeded */
  async #round(): Promise<boolean> {
    try {
      await this.#failing.try(() => this.catchUp());
      return true;
    } catch (error) {
      this.#cursor = null;
      this.#dependencies.onFailure(error);
      return false;
    }
  }

  /** @returns whether there was more to read */
  async #step(): Promise<boolean> {
    const { store, applied } = this.#dependencies;
    if (!(await this.#versions.refresh())) return false;
    this.#cursor ??= (await store.cursor(this.#account)) ?? (await this.#begin());
    const from = this.#cursor;
    const head = applied();
    const stretch = from && this.#versions.stretchBehind(from.position);
    if (!from || !stretch || head <= stretch.after) return false;
    const isNamed = this.#versions.outgoingAt(stretch.version) !== null;
    const { records, upTo, more } = await (isNamed
      ? this.#look(stretch, head)
      : this.#lookForCorrections(stretch, head));
    if (upTo <= from.position) return false;
    const bracket = isNamed ? await this.#bracketAt(stretch.after) : NO_IMPORT;
    const read = { records, bracket, sequence: from.sequence };
    const made = await makeOutcomes(this.#dependencies, this.#account, read, () => !this.#isClosed);
    if (made === null) return false;
    const to = { position: upTo, sequence: from.sequence + made.outcomes.length };
    const erased = records.flatMap(({ fact }) => (fact.type === 'UserErased' ? [fact.subject] : []));
    const step = { from, to, outcomes: made.outcomes, erased, writtenAt: this.#dependencies.clock.now() };
    let isWritten = false;
    try {
      isWritten = await store.write(this.#account, step);
    } finally {
      // If only the answer was lost, the write may still take effect, with outcomes of a user who has been erased by then.
      if (!isWritten) this.#isPurged = false;
    }
    this.#cursor = isWritten ? to : null;
    this.#imports = isNamed ? { position: upTo, bracket: made.bracket } : null;
    return !isWritten || more;
  }

  /**
   * For an account without a cursor, begins at the first version that names outcomes, or else at the end of the log.
   */
  async #begin(): Promise<OutcomeCursor | null> {
    const { store, log } = this.#dependencies;
    const head = await log.head();
    // A version may have been published since the versions were read.
    const knowsAll = await this.#versions.read();
    const named = this.#versions.firstNamed();
    if (named === undefined && !knowsAll) return null;
    await store.begin(this.#account, named === undefined ? head : named.position - 1);
    return store.cursor(this.#account);
  }

  async #look({ after, upTo, version }: Stretch, head: number): Promise<Looked> {
    const read = await this.#dependencies.log.read(after, RECORDS_AT_A_TIME);
    const most = mostUsers(this.#versions.outgoingAt(version));
    this.#versions.notice(read);
    const reached = read.filter(({ position }) => position <= Math.min(head, upTo));
    const records = atATime(await this.#settled(reached), most);
    const last = records.at(-1)?.position ?? after;
    const newest = read.length === RECORDS_AT_A_TIME ? Infinity : (read.at(-1)?.position ?? 0);
    return { records, upTo: last, more: last < Math.min(head, newest) };
  }

  /** Skips the rest of the stretch: to its end once a later version exists, otherwise in large steps. */
  async #lookForCorrections({ after, upTo }: Stretch, head: number): Promise<Looked> {
    const end = head < Infinity ? head : await this.#dependencies.log.head();
    const read = await this.#dependencies.log.readAdministrativeBehind(this.#account, after, RECORDS_AT_A_TIME);
    if (this.#versions.notice(read)) return { records: [], upTo: after, more: true };
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

  /** The leading records that every area has applied, under versions that this process knows. */
  async #settled(records: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const known = this.#versions.knownOf(records);
    return (await this.#dependencies.settled?.(known)) ?? known;
  }

  async #bracketAt(position: number): Promise<ImportBracket> {
    if (this.#imports?.position === position) return this.#imports.bracket;
    const facts = await this.#dependencies.log.readAccountEvents(this.#account, ['ImportOpened', 'ImportClosed']);
    return facts.filter((record) => record.position <= position).reduce(afterRecord, NO_IMPORT);
  }
}

/** Whether the record makes an outcome under any version. */
const isAlwaysNotified = ({ fact }: RecordedEvent): boolean =>
  outcomesOfEvent(fact.type).some((type) => ALWAYS_MADE.includes(type));
