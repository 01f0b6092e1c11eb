import { once } from 'node:events';
import type { TextStream } from '../command-context.ts';

/** Writes the text, and waits while the reader is behind, so that output does not pile up. */
export async function print(stream: TextStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

export const printLines = (stream: TextStream, lines: readonly string[]): Promise<void> =>
  print(stream, lines.map((line) => `${line}\n`).join(''));

/** Writes the text, and waits until the stream has passed it on. @throws Error if it cannot */
export const printed = (stream: TextStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())));
