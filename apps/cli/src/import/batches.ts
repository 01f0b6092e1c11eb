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
}

const LINES_PER_BATCH = 1_000;
/** Below the 8 MiB that the service takes. */
const BYTES_PER_BATCH = 7 * 1024 * 1024;

/** Cuts lines into batches, in order; a line that is no JSON object is told to `onBadLine` and left out. */
export async function* batchesOf(
  lines: AsyncIterable<EventLine>,
  onBadLine: (line: BadLine) => void,
): AsyncIterable<Batch> {
  let pending: EventLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    const problem = problemOf(line.text);
    if (problem !== null) {
      onBadLine({ number: line.number, error: problem });
      continue;
    }
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

function problemOf(text: string): string | null {
  if (Buffer.byteLength(text) >= BYTES_PER_BATCH) return 'the line is longer than 7 MiB';
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? null
      : 'the line is not a JSON object';
  } catch {
    return 'the line is not JSON';
  }
}
