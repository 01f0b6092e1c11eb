import type { Subject, RecordedUserEvent } from '@laurel/kernel';
import type { CancelTimer, Clock, Directory, LiveEntry, LiveReads } from '@laurel/ports';

/** Interval of reads of the log while somebody watches, and of messages to a watcher, in milliseconds. */
const EVERY_MS = 250;
/** Interval of messages while there are more events than are shown, in milliseconds. */
const EVERY_BUSY_MS = 500;
/** Most events in a message. */
const SHOWN = 50;
/** Most records read in a round. */
const READ = 1_000;
/**
 * Most records that a watcher may be behind and still get all of them; also, the most records that the reader may be
 * behind the log.
 */
const MOST_BEHIND = 1_000;
const MOST_LAG = 10_000;
/** Ten seconds of rounds. If these fail, there is a longer outage, or some records cannot be read at all. */
const MOST_FAILED_ROUNDS = 40;
export const MOST_WATCHERS = 32;
/**
 * Without events, something is sent at this interval. It keeps proxies from closing the connection, and detects
 * watchers who are no longer admitted.
 */
const QUIET_MS = 15_000;

/** A message to a watcher. */
export type LiveMessage =
  /**
   * `position`: the watcher has seen everything up to it. `skipped`: number of events that are left out before the
   * shown ones.
   */
  | {
      readonly kind: 'events';
      readonly entries: readonly LiveEntry[];
      readonly skipped: number;
      readonly position: number;
    }
  /** The watcher was too far behind: the feed starts again from the present. */
  | { readonly kind: 'resync' }
  | { readonly kind: 'quiet' };

export interface Watcher {
  readonly account: string;
  /** Only events of this user; null for all users. */
  readonly userId: string | null;
  /** Only events of this metric; null for all events. */
  readonly metric: string | null;
  /** Begins after this position; null to begin with the newest events. */
  readonly after: number | null;
  /** Watchers who see the same events get the same object. Must not throw. */
  readonly send: (message: LiveMessage) => void;
  /** Whether the watcher may still watch. */
  readonly admitted: () => Promise<boolean>;
  /** Called when nothing more will be sent. */
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
  /** null until the next round, which starts from the present. */
  position: number | null;
  /** null while the user is not known. */
  subject: Subject | null;
  quietSince: number;
  /** Set while the watcher's position is determined, or its admission is checked. */
  busy: boolean;
}

type SeatWithPlace = Seat & { position: number };

/** The entries read for all watchers, up to `position`. */
type Batch = Awaited<ReturnType<LiveReads['behind']>>;

/** The next entries for some watchers. */
interface Selection {
  readonly seats: readonly Seat[];
  readonly records: readonly RecordedUserEvent[];
  readonly skipped: number;
  readonly position: number;
}

/**
 * One reader for all watchers: it reads the log by position, and looks up the effects of each event. It runs only while
 * somebody watches. Each watcher has a separate position, so none gets an event twice, or misses one after a
 * reconnection.
 */
export class LiveFeed {
  readonly #dependencies: LiveFeedDependencies;
  readonly #seats = new Set<Seat>();
  /** null to start from the applied position in the next round. */
  #position: number | null = null;
  #cancel: CancelTimer | null = null;
  #running = false;
  /** Number of consecutive failed rounds. */
  #failedRounds = 0;
  #stopped = false;
  /** Whether the last round had more events than were shown. */
  #isBusy = false;

  constructor(dependencies: LiveFeedDependencies) {
    this.#dependencies = dependencies;
  }

  get watchers(): number {
    return this.#seats.size;
  }

  /** @returns a function that stops watching, or null if there are too many watchers. */
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

  /** Disconnects all watchers, for good. */
  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    for (const seat of this.#seats) this.#end(seat);
  }

  /** Determines a new watcher's position. A watcher that is too far behind starts from the present, with a `resync`. */
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

  /**
   * Whether the watcher is near the applied position. The watcher may even be ahead of it, if a stopped area that did
   * not count then is applying events again.
   */
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

  /**
   * Positions have not moved, so a later round reads the same again. Records that can never be read are skipped in the
   * end.
   */
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

  /**
   * Lets the reader and near watchers continue at their positions; the others start from the applied position. @returns
   * the reader's position
   */
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

  /**
   * For watchers who all see the same events: skipped events are counted without being read. @returns the position read
   * up to
   */
  async #showNewest(account: string, seats: readonly Seat[], from: number): Promise<number> {
    const newest = await this.#dependencies.reads.newest(account, from, SHOWN);
    await this.#show(account, [{ seats, ...newest }]);
    this.#isBusy ||= newest.skipped > 0;
    return newest.position;
  }

  /** Sends each watcher its own events. @returns the position up to which the log was read for all */
  async #showEach(account: string, seats: readonly SeatWithPlace[], from: number): Promise<number> {
    const batch = await this.#dependencies.reads.behind(account, from, READ);
    // Look users up after the read: a user whose first event is in it is known by now.
    await this.#learnUsers(seats);
    const selections: Selection[] = [];
    for (const seat of seats) selections.push(await this.#select(seat, from, batch));
    await this.#show(account, selections);
    return batch.position;
  }

  /**
   * The next events for a seat. A seat behind `from` reads from its own position. While the log grows slowly, it reads
   * one message at a time and skips nothing. Otherwise it reads everything up to the newest event at once, so that it
   * always catches up.
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

  /**
   * The number of records between the positions, or an upper estimate of at most `most`. Positions need not be
   * contiguous.
   */
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

  /** Looks up subjects, because events name users by them. */
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
