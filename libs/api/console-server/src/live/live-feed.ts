import type { Subject, RecordedUserEvent } from '@laurel/kernel';
import type { CancelTimer, Clock, Directory, LiveEntry, LiveReads } from '@laurel/ports';

/** Milliseconds between reads of the log while somebody watches, and between messages to a watcher. */
const EVERY_MS = 250;
/** While more comes than is shown, a watcher gets a message. */
const EVERY_BUSY_MS = 500;
/** Events of a message. */
const SHOWN = 50;
/** Records that are looked at in a round. */
const READ = 1_000;
/** Records that a watcher may be behind and still get all of them; those that the reader may be behind the log. */
const MOST_BEHIND = 1_000;
const MOST_LAG = 10_000;
/** Ten seconds of rounds: an outage is longer than that, or what is read cannot be read at all. */
const MOST_FAILED_ROUNDS = 40;
export const MOST_WATCHERS = 32;
/** Without an event, something is sent so often: a proxy keeps the connection open, and who may watch no more is noticed. */
const QUIET_MS = 15_000;

/** A message to a watcher. */
export type LiveMessage =
  /** `position`: the watcher has seen all up to it. `skipped`: events before those shown that are not among them. */
  | {
      readonly kind: 'events';
      readonly entries: readonly LiveEntry[];
      readonly skipped: number;
      readonly position: number;
    }
  /** The watcher was too far behind: what follows begins now. */
  | { readonly kind: 'resync' }
  | { readonly kind: 'quiet' };

export interface Watcher {
  readonly account: string;
  /** Only events of this user; null: of all users. */
  readonly userId: string | null;
  /** Only events of this metric; null: all events. */
  readonly metric: string | null;
  /** Behind this position; null: from the newest events on. */
  readonly after: number | null;
  /** Watchers who see the same events get the same object. Must not throw. */
  readonly send: (message: LiveMessage) => void;
  /** Whether the watcher may still watch. */
  readonly admitted: () => Promise<boolean>;
  /** Nothing is sent any more. */
  readonly end: () => void;
}

export interface LiveFeedDependencies {
  readonly reads: LiveReads;
  readonly directory: Pick<Directory, 'find'>;
  readonly clock: Pick<Clock, 'after' | 'elapsedMs'>;
  /** Called for each round that failed. */
  readonly onFailure: (error: unknown) => void;
}

interface Seat {
  readonly watcher: Watcher;
  /** null: begins anew in the next round. */
  position: number | null;
  /** null: the user is not known yet. */
  subject: Subject | null;
  quietSince: number;
  /** Is being seated, or asked whether it still may watch. */
  busy: boolean;
}

type SeatWithPlace = Seat & { position: number };

/** The entries that were read for all watchers, up to `position`. */
type Batch = Awaited<ReturnType<LiveReads['behind']>>;

/** The next entries for some watchers. */
interface Selection {
  readonly seats: readonly Seat[];
  readonly records: readonly RecordedUserEvent[];
  readonly skipped: number;
  readonly position: number;
}

/**
 * One reader for everybody who watches: it reads the log by position and looks up what each event caused. Nobody watches: it does
 * not run. Each watcher has a position of its own, so none gets an event twice or misses one when it comes back.
 */
export class LiveFeed {
  readonly #dependencies: LiveFeedDependencies;
  readonly #seats = new Set<Seat>();
  /** null: begins at what is applied in the next round. */
  #position: number | null = null;
  #cancel: CancelTimer | null = null;
  #running = false;
  /** Without one between them that did not fail. */
  #failedRounds = 0;
  #stopped = false;
  /** More came in the last round than was shown. */
  #isBusy = false;

  constructor(dependencies: LiveFeedDependencies) {
    this.#dependencies = dependencies;
  }

  get watchers(): number {
    return this.#seats.size;
  }

  /** @returns what ends it; null: so many watch that there is no room. */
  watch(watcher: Watcher): (() => void) | null {
    if (this.#stopped || this.#seats.size >= MOST_WATCHERS) return null;
    if (this.#seats.size === 0 && !this.#running) this.#position = null;
    const seat: Seat = {
      watcher,
      position: watcher.after,
      subject: null,
      quietSince: this.#dependencies.clock.elapsedMs(),
      busy: true,
    };
    this.#seats.add(seat);
    void this.#seatAt(seat);
    this.#schedule(0);
    return () => void this.#seats.delete(seat);
  }

  /** Ends everybody's watching, for good. */
  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    for (const seat of this.#seats) this.#end(seat);
  }

  /** A watcher that asks for what is far behind begins now, with a `resync`. */
  async #seatAt(seat: Seat): Promise<void> {
    const { after } = seat.watcher;
    try {
      const applied = await this.#dependencies.reads.applied();
      if (after === null) seat.position = await this.#dependencies.reads.before(applied, SHOWN);
      else if (!(await this.#isNear(seat.watcher.account, after, applied))) this.#resync(seat, applied);
    } catch {
      seat.position = null;
    } finally {
      seat.busy = false;
    }
  }

  /** What the watcher has seen may lie before what is applied: an area that had halted, and held nothing back then, is applying it. */
  async #isNear(account: string, after: number, applied: number): Promise<boolean> {
    const { reads } = this.#dependencies;
    if (after > applied) return after <= (await reads.head());
    const { position } = await reads.behind(account, after, MOST_BEHIND);
    return position >= applied;
  }

  #schedule(delayMs: number): void {
    if (this.#cancel !== null || this.#running || this.#stopped) return;
    this.#cancel = this.#dependencies.clock.after(delayMs, () => {
      this.#cancel = null;
      this.#running = true;
      this.#round()
        .then(
          () => void (this.#failedRounds = 0),
          (error: unknown) => this.#failed(error),
        )
        .finally(() => {
          this.#running = false;
          if (this.#seats.size > 0) this.#schedule(this.#isBusy ? EVERY_BUSY_MS : EVERY_MS);
        });
    });
  }

  /** What cannot be read now is read in a later round: no position has moved. What can never be read is left out in the end. */
  async #failed(error: unknown): Promise<void> {
    const { onFailure } = this.#dependencies;
    onFailure(error);
    if (++this.#failedRounds < MOST_FAILED_ROUNDS) return;
    this.#failedRounds = 0;
    this.#beginAnew();
    await this.#place().catch(onFailure);
  }

  #beginAnew(): void {
    this.#position = null;
    for (const seat of this.#seats) seat.position = null;
  }

  /** The reader, and who is not too far behind it, stay where they are; the others begin at what is applied. @returns where the reader is */
  async #place(): Promise<number> {
    const applied = await this.#dependencies.reads.applied();
    if (this.#position !== null && (await this.#recordsBetween(this.#position, applied, MOST_LAG)) > MOST_LAG)
      this.#beginAnew();
    const from = (this.#position ??= applied);
    for (const seat of this.#seats) if (!seat.busy && seat.position === null) this.#resync(seat, from);
    return from;
  }

  async #round(): Promise<void> {
    const from = await this.#place();
    const accounts = new Set([...this.#seats].map(({ watcher }) => watcher.account));
    this.#isBusy = false;
    for (const account of accounts) {
      const seats = [...this.#seats].filter(isPlaced).filter(({ watcher }) => watcher.account === account);
      const all = seats.every((seat) => isForAll(seat) && seat.position === from);
      const position = all ? await this.#showNewest(account, seats, from) : await this.#showEach(account, seats, from);
      this.#position = Math.max(this.#position ?? from, position);
    }
    for (const seat of this.#seats) this.#keepAlive(seat);
  }

  /** To watchers who all see the same: what is not shown is counted, and not read. @returns up to where */
  async #showNewest(account: string, seats: readonly Seat[], from: number): Promise<number> {
    const newest = await this.#dependencies.reads.newest(account, from, SHOWN);
    await this.#show(account, [{ seats, ...newest }]);
    this.#isBusy ||= newest.skipped > 0;
    return newest.position;
  }

  /** To each watcher what is for them. @returns up to where the log was read for all */
  async #showEach(account: string, seats: readonly SeatWithPlace[], from: number): Promise<number> {
    const batch = await this.#dependencies.reads.behind(account, from, READ);
    // After the read: a user whose first event is in it is known by now.
    await this.#learnUsers(seats);
    const selections: Selection[] = [];
    for (const seat of seats) selections.push(await this.#select(seat, from, batch));
    await this.#show(account, selections);
    return batch.position;
  }

  /**
   * What a seat is shown next. A seat that is behind `from` reads from its own place: a message's worth at a time, skipping nothing,
   * while the log grows more slowly than that; else all up to the newest at once, so that it always arrives there.
   */
  async #select(seat: SeatWithPlace, from: number, batch: Batch): Promise<Selection> {
    const { account } = seat.watcher;
    const behind = await this.#recordsBetween(seat.position, from, MOST_BEHIND);
    if (behind > MOST_BEHIND) {
      this.#resync(seat, batch.position);
      return { seats: [seat], records: [], skipped: 0, position: batch.position };
    }
    if (behind > 0 && (await this.#recordsBetween(from, batch.position, SHOWN)) < SHOWN) {
      const read = await this.#dependencies.reads.behind(account, seat.position, SHOWN);
      const position = Math.min(read.position, batch.position);
      const records = read.records.filter((record) => record.position <= position && isFor(seat, record));
      return { seats: [seat], records, skipped: 0, position };
    }
    const missed = behind > 0 ? (await this.#dependencies.reads.behind(account, seat.position, behind)).records : [];
    const found = [...missed.filter(({ position }) => position <= from), ...batch.records].filter(
      (record) => record.position > seat.position && isFor(seat, record),
    );
    return {
      seats: [seat],
      records: found.slice(-SHOWN),
      skipped: Math.max(0, found.length - SHOWN),
      position: Math.max(seat.position, batch.position),
    };
  }

  /** How many lie between the positions, or a number that is not below it and at most `most`. Positions of a log need not be contiguous. */
  async #recordsBetween(after: number, upTo: number, most: number): Promise<number> {
    return upTo - after <= most ? upTo - after : this.#dependencies.reads.count(after, upTo, most + 1);
  }

  async #show(account: string, selections: readonly Selection[]): Promise<void> {
    const wanted = new Map(selections.flatMap(({ records }) => records).map((record) => [record.position, record]));
    const entries = await this.#dependencies.reads.entries(account, [...wanted.values()]);
    const byPosition = new Map(entries.map((entry) => [entry.record.position, entry]));
    for (const { seats, records, skipped, position } of selections) {
      const shown = records.flatMap((record) => byPosition.get(record.position) ?? []);
      const message: LiveMessage = { kind: 'events', entries: shown, skipped, position };
      for (const seat of seats.filter((one) => this.#seats.has(one))) {
        seat.position = position;
        if (records.length > 0) this.#send(seat, message);
      }
    }
  }

  /** Events name users by their subjects. */
  async #learnUsers(seats: readonly Seat[]): Promise<void> {
    for (const seat of seats) {
      const { account, userId } = seat.watcher;
      if (userId !== null && seat.subject === null)
        seat.subject = await this.#dependencies.directory.find(account, userId);
    }
  }

  #keepAlive(seat: Seat): void {
    if (seat.busy || this.#dependencies.clock.elapsedMs() - seat.quietSince < QUIET_MS) return;
    seat.busy = true;
    seat.watcher
      .admitted()
      .then((may) => (may ? this.#send(seat, { kind: 'quiet' }) : this.#end(seat)))
      .catch(() => this.#end(seat))
      .finally(() => (seat.busy = false));
  }

  #resync(seat: Seat, position: number): void {
    seat.position = position;
    this.#send(seat, { kind: 'resync' });
  }

  #send(seat: Seat, message: LiveMessage): void {
    if (!this.#seats.has(seat)) return;
    if (message.kind === 'quiet') seat.quietSince = this.#dependencies.clock.elapsedMs();
    seat.watcher.send(message);
  }

  #end(seat: Seat): void {
    if (this.#seats.delete(seat)) seat.watcher.end();
  }
}

const isPlaced = (seat: Seat): seat is SeatWithPlace => !seat.busy && seat.position !== null;

const isForAll = ({ watcher: { userId, metric } }: Seat): boolean => userId === null && metric === null;

function isFor({ watcher: { userId, metric }, subject }: Seat, { fact }: RecordedUserEvent): boolean {
  if (userId !== null && fact.subject !== subject) return false;
  return metric === null || (fact.type === 'MetricEventRecorded' && fact.metric === metric);
}
