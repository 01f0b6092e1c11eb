import { once } from 'node:events';
import type { TextStream } from '../command-context.ts';

/** Writes the text and waits while the reader is behind, so that nothing piles up. */
export async function print(stream: TextStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}

export const printLines = (stream: TextStream, lines: readonly string[]): Promise<void> =>
  print(stream, lines.map((line) => `${line}\n`).join(''));
