import { problemOf, ProblemError, type Problem } from '@laurel/schemas';
import { isBlank, type Line, LONGEST_LINE, parseJsonBytes, withoutMark } from '@laurel/runtime';
import { readItem, type ReadContext, type ReadItem } from './batch.ts';

/** After this many consecutive lines that are not JSON, the body does not count as NDJSON. */
const MOST_NOT_JSON = 20;
/** Most users with a damaged state that a stream skips. */
const MOST_DAMAGED = 1_000;

/** A line that is not blank, with its index in the stream. */
export interface EventLine {
  readonly index: number;
  readonly bytes: Line;
}

/** Reads the lines of one stream, in their order. */
export class EventLineReader {
  #next = 0;
  #notJson = 0;
  #problem: Problem | null = null;
  readonly #damaged = new Set<string>();

  /** Why reading must stop, or null. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Numbers lines. Blank lines count, but are skipped. */
  number(lines: readonly Line[]): EventLine[] {
    return lines.flatMap((line) => {
      const index = this.#next++;
      const bytes = index === 0 && line !== null ? withoutMark(line) : line;
      return bytes !== null && isBlank(bytes) ? [] : [{ index, bytes }];
    });
  }

  /** Refuses later events of these users: after a repair, they could otherwise be recorded before the refused event. */
  leave(users: readonly string[]): void {
    for (const user of users) this.#damaged.add(user);
    if (this.#damaged.size > MOST_DAMAGED)
      this.#problem ??= problemOf('state_damaged', `The stored states of more than ${MOST_DAMAGED} users are damaged.`);
  }

  /** null for lines after {@link problem}. */
  read({ index, bytes }: EventLine, context: ReadContext): ReadItem | null {
    if (this.#problem !== null) return null;
    const item = this.#json(bytes);
    if (item instanceof ProblemError) {
      const { status, code, error } = item.problem;
      if (++this.#notJson >= MOST_NOT_JSON) this.#problem ??= notNdjson(index);
      return { type: 'invalid', index, status, code, error };
    }
    this.#notJson = 0;
    const read = readItem(item, index, context);
    return read.type === 'valid' && this.#damaged.has(read.event.user.id) ? leftBehind(index) : read;
  }

  #json(bytes: Line): unknown {
    if (bytes === null) return TOO_LONG;
    try {
      return parseJsonBytes(bytes, 'line');
    } catch (error) {
      if (error instanceof ProblemError) return error;
      throw error;
    }
  }
}

const TOO_LONG = new ProblemError(
  problemOf('body_too_large', `The line is longer than ${LONGEST_LINE / 1_024} KiB (${LONGEST_LINE} bytes).`),
);

const notNdjson = (index: number): Problem =>
  problemOf(
    'malformed_body',
    `The last ${MOST_NOT_JSON} lines, up to index ${index}, are not JSON: the body must hold one JSON object a line (NDJSON), not compressed.`,
  );

const leftBehind = (index: number): ReadItem => ({
  type: 'invalid',
  index,
  status: 503,
  code: 'state_damaged',
  error: 'Not recorded, because an earlier event of this user was refused: their stored state is damaged.',
});
