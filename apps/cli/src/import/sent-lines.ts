import type { EventLine } from './event-lines.ts';
import { jsonIn } from './json-in.ts';

/** The most lines, and bytes, that may be sent and not yet answered. */
const MOST_SENT = { lines: 5_000, bytes: 4 * 1024 * 1024 };

/** The lines of an import that wait for an answer, in their order, and the lines to send again before any other. */
export class SentLines {
  /** Unanswered lines by their number in the order of sending. */
  readonly #sent = new Map<number, EventLine>();
  #first = 0;
  #next = 0;
  #bytes = 0;
  /** Answered lines that are not known to be recorded. */
  #turnedAway: EventLine[] = [];
  #again: EventLine[] = [];

  get isFull(): boolean {
    return this.#sent.size >= MOST_SENT.lines || this.#bytes >= MOST_SENT.bytes;
  }

  /** Number of lines to send again. */
  get again(): number {
    return this.#again.length;
  }

  add(lines: readonly EventLine[]): void {
    for (const line of lines) {
      this.#sent.set(this.#next++, line);
      this.#bytes += sizeOf(line);
    }
  }

  /** The line that the next answer belongs to; undefined if no line waits. */
  answered(): EventLine | undefined {
    const line = this.#sent.get(this.#first);
    if (line === undefined) return undefined;
    this.#sent.delete(this.#first++);
    this.#bytes -= sizeOf(line);
    return line;
  }

  /** Marks an answered line to be sent again after the request. */
  turnAway(line: EventLine): void {
    this.#turnedAway.push(line);
  }

  /** Called when a request is over: rejected and unanswered lines are sent again, except lines that `isGivenUp`. */
  sendAgain(isGivenUp: (line: EventLine) => boolean = () => false): void {
    const unanswered = [...this.#sent.values()].filter((line) => !isGivenUp(line));
    this.#again = [...this.#turnedAway, ...unanswered, ...this.#again];
    this.#turnedAway = [];
    this.#sent.clear();
    this.#first = this.#next;
    this.#bytes = 0;
  }

  /** Takes the first lines to send again. */
  takeAgain(most: number): EventLine[] {
    return this.#again.splice(0, most);
  }
}

const sizeOf = ({ bytes }: EventLine): number => bytes?.length ?? 0;

export const hasKey = (line: EventLine): boolean => typeof jsonIn(line)['idempotencyKey'] === 'string';
