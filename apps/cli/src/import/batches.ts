import { CommandError } from '../command-error.ts';
import type { EventLine } from './event-lines.ts';

/** Lines for one request. */
export interface Batch {
  readonly lines: readonly EventLine[];
  /** A JSON array of the lines as they stand in the file: no digit is touched. */
  readonly body: string;
}

export interface BadLine {
  readonly number: number;
  readonly error: string;
  /** It was given up, because the stored state of its user is damaged. */
  readonly damaged?: true;
}

const LINES_PER_BATCH = 1_000;
/** Below the 8 MiB that the service takes. */
const BYTES_PER_BATCH = 7 * 1024 * 1024;

/** So many lines in a row that are not JSON mean that the file is not what it was taken for. */
const MOST_NOT_JSON = 20;

/**
 * Cuts lines into batches, in order; a line that is no JSON object is told to `onBadLine` and left out.
 * @throws CommandError with exit code 2 behind 20 lines in a row that are not JSON; what stands before them is cut first.
 */
export async function* batchesOf(
  lines: AsyncIterable<EventLine>,
  onBadLine: (line: BadLine) => void,
): AsyncIterable<Batch> {
  let pending: EventLine[] = [];
  let bytes = 0;
  let notJson = 0;
  for await (const line of lines) {
    const problem = problemOf(line.text);
    notJson = problem === NOT_JSON ? notJson + 1 : 0;
    if (problem !== null) onBadLine({ number: line.number, error: problem });
    if (notJson === MOST_NOT_JSON) {
      if (pending.length > 0) yield batchOf(pending);
      throw notNdjson(line.number);
    }
    if (problem !== null) continue;
    const size = Buffer.byteLength(line.text) + 1;
    if (pending.length > 0 && (pending.length === LINES_PER_BATCH || bytes + size > BYTES_PER_BATCH)) {
      yield batchOf(pending);
      pending = [];
      bytes = 0;
    }
    pending.push(line);
    bytes += size;
  }
  if (pending.length > 0) yield batchOf(pending);
}

export const batchOf = (lines: readonly EventLine[]): Batch => ({
  lines,
  body: `[${lines.map(({ text }) => text).join(',')}]`,
});

const NOT_JSON = 'the line is not JSON';

function notNdjson(line: number): CommandError {
  const found = `the last ${MOST_NOT_JSON} lines, up to line ${line}, are not JSON`;
  return new CommandError(
    2,
    `${found}: the file must hold one JSON object a line (NDJSON), gzipped if its name ends in .gz`,
  );
}

function problemOf(text: string): string | null {
  if (Buffer.byteLength(text) >= BYTES_PER_BATCH) return 'the line is longer than 7 MiB';
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? null
      : 'the line is not a JSON object';
  } catch {
    return NOT_JSON;
  }
}
