import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { isBlank, LineSplitter, LONGEST_LINE, withoutMark, type Line } from '@laurel/runtime/surroundings';
import { CommandError } from '../command-error.ts';

/** A line of the file: its number (from 1) and its bytes; null if it is longer than the service accepts. */
export interface EventLine {
  readonly number: number;
  readonly bytes: Line;
}

export interface EventFile {
  /** The lines, in the chunks in which they are read. */
  readonly lines: AsyncIterable<readonly EventLine[]>;
  /** Share of the file that has been read, from 0 to 1. */
  readonly share: () => number;
}

/**
 * Opens an NDJSON file, gzipped if its name ends in `.gz`. Skips blank lines, and a byte order mark at the beginning.
 * Reads at most a buffer ahead.
 * @throws CommandError with exit code 2 if it cannot be read.
 */
export async function openEventFile(path: string): Promise<EventFile> {
  const { size } = await stat(path).catch((error: Error) => unreadable(path, error));
  const source = createReadStream(path);
  const input = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  // The stream may fail before anybody reads it; the reader gets the error then.
  input.on('error', () => undefined);
  source.on('error', (error) => input.destroy(error));
  return { lines: linesOf(path, input), share: () => (size === 0 ? 1 : source.bytesRead / size) };
}

async function* linesOf(path: string, input: AsyncIterable<Buffer>): AsyncIterable<readonly EventLine[]> {
  const splitter = new LineSplitter(LONGEST_LINE);
  let number = 0;
  const numbered = (lines: readonly Line[]): EventLine[] =>
    lines
      .map((line) => ({ number: ++number, bytes: line && number === 1 ? withoutMark(line) : line }))
      .filter(({ bytes }) => bytes === null || !isBlank(bytes));
  try {
    for await (const bytes of input) yield numbered(splitter.push(bytes));
  } catch (error) {
    unreadable(path, error as Error);
  }
  yield numbered(splitter.end());
}

function unreadable(path: string, error: Error): never {
  throw new CommandError(2, `${path} cannot be read: ${error.message}`);
}
