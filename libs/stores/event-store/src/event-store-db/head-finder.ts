import type { Position } from '@eventstore/db-client';
import type { EventStoreDbClient } from './event-store-db-client.ts';
import { placeInLog, positionAt } from './stored-event.ts';
import type { StreamNames } from './stream-names.ts';

/** The newest event is nearly always in the first page; otherwise there may be many more events. */
const FIRST_PAGE = 20;
const NEXT_PAGES = 1_000;

/** Finds the newest event of this log backwards from the end of `$all`. It reads no range twice, even after an interruption. */
export class HeadFinder {
  readonly #client: Pick<EventStoreDbClient, 'readBackwards'>;
  readonly #names: StreamNames;
  #newest = 0;
  /** A range that is known to hold no event of this log. */
  #foreign: { readonly upTo: Position; readonly downTo: Position } | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  /** The next search, which has not begun yet: all callers until then share its result. */
  #waiting: Promise<number> | null = null;

  constructor(client: Pick<EventStoreDbClient, 'readBackwards'>, names: StreamNames) {
    this.#client = client;
    this.#names = names;
  }

  /** Called when an event of this log at this position is known. */
  reached(place: number): void {
    this.#newest = Math.max(this.#newest, place);
  }

  /** Called when a reader found no event of this log between `place` (the position of an event, or 0) and `upTo`. */
  nothingBetween(place: number, upTo: Position): void {
    this.reached(place);
    if (this.#foreign === null || this.#foreign.upTo.commit < upTo.commit)
      this.#foreign = { upTo, downTo: positionAt(place) };
  }

  /** Finds the newest event. A call during a search waits for the next search, which has less to read. */
  find(): Promise<number> {
    if (this.#waiting === null) {
      this.#waiting = this.#turn.then(() => {
        this.#waiting = null;
        return this.#find();
      });
      this.#turn = this.#waiting.catch(() => undefined);
    }
    return this.#waiting;
  }

  async #find(): Promise<number> {
    let top: Position | null = null;
    let before: Position | null = null;
    for (let size = FIRST_PAGE; ; size = NEXT_PAGES) {
      const page = await this.#client.readBackwards(before, size);
      for (const event of page) {
        top ??= event.position;
        before = event.position;
        if (this.#names.isOurs(event.streamId)) this.reached(placeInLog(event));
        if (before.commit <= this.#newest) break;
      }
      if (top === null || before === null) return this.#newest;
      before = this.#overForeign(before);
      this.#remember(top, before);
      if (before.commit <= this.#newest || page.length < size) return this.#newest;
    }
  }

  #overForeign(position: Position): Position {
    const known = this.#foreign;
    const within = known && position.commit <= known.upTo.commit && position.commit > known.downTo.commit;
    return within ? known.downTo : position;
  }

  /** Only one range is remembered: the lower one, until both meet. */
  #remember(upTo: Position, downTo: Position): void {
    if (this.#foreign === null || downTo.commit <= this.#foreign.downTo.commit) this.#foreign = { upTo, downTo };
  }
}
