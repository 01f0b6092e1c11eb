import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { CommandError } from '../command-error.ts';

/** A line of the file: its number (from 1) and its text. */
export interface EventLine {
  readonly number: number;
  readonly text: string;
}

export interface EventFile {
  readonly lines: AsyncIterable<EventLine>;
  /** Share of the file that has been read, 0–1. */
  readonly share: () => number;
}

/**
 * Opens an NDJSON file, gzipped if its name ends in `.gz`; blank lines are passed over, and a byte order mark at
 * the beginning. Reads no further ahead than a buffer.
 * @throws CommandError with exit code 2 if it cannot be read.
 */
export async function openEventFile(path: string): Promise<EventFile> {
  const { size } = await stat(path).catch((error: Error) => unreadable(path, error));
  const source = createReadStream(path);
  const input = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  // Nobody may be reading yet when it fails.
  const failed = new Promise<never>((_resolve, reject) => input.once('error', reject));
  failed.catch(() => undefined);
  source.on('error', (error) => input.destroy(error));
  return { lines: numbered(path, input, failed), share: () => (size === 0 ? 1 : source.bytesRead / size) };
}

async function* numbered(path: string, input: NodeJS.ReadableStream, failed: Promise<never>): AsyncIterable<EventLine> {
  const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  let number = 0;
  for (;;) {
    const next = await Promise.race([lines.next(), failed]).catch((error: Error) => unreadable(path, error));
    if (next.done) return;
    number++;
    const text = number === 1 ? next.value.replace(/^\ufeff/, '') : next.value;
    if (text.trim() !== '') yield { number, text };
  }
}

function unreadable(path: string, error: Error): never {
  throw new CommandError(2, `${path} cannot be read: ${error.message}`);
}
