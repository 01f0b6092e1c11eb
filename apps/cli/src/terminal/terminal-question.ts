import { createInterface } from 'node:readline';
import type { CommandContext } from '../command-context.ts';
import { InterruptedError } from '../command-error.ts';

/** The person at the terminal. */
export interface Answerer {
  /** Without a terminal, commands ask nothing. */
  readonly isTerminal: boolean;
  readonly input: NodeJS.ReadableStream;
}

export const STDIN: Answerer = { isTerminal: process.stdin.isTTY === true, input: process.stdin };

/** Whether the answer begins with y; the end of the input counts as no. @throws InterruptedError after Ctrl-C. */
export async function isConfirmed(
  question: string,
  { input }: Answerer,
  { stderr, interrupted }: Pick<CommandContext, 'stderr' | 'interrupted'>,
): Promise<boolean> {
  if (interrupted.aborted) throw new InterruptedError();
  stderr.write(`${question} [y/N] `);
  // Terminal mode is off, because in it Ctrl-C would arrive as a key instead of a signal.
  const lines = createInterface({ input, terminal: false });
  try {
    return await new Promise<boolean>((resolve, reject) => {
      lines.once('line', (line) => resolve(/^\s*y(es)?\s*$/i.test(line)));
      lines.once('close', () => resolve(false));
      interrupted.addEventListener('abort', () => reject(new InterruptedError()), { once: true });
    });
  } finally {
    lines.close();
  }
}
