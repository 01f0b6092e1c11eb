import { createInterface } from 'node:readline';
import type { CommandContext } from '../command-context.ts';
import { InterruptedError } from '../command-error.ts';

/** Who can be asked. */
export interface Answerer {
  /** Whether somebody sits there: else nothing is asked. */
  readonly isTerminal: boolean;
  readonly input: NodeJS.ReadableStream;
}

export const STDIN: Answerer = { isTerminal: process.stdin.isTTY === true, input: process.stdin };

/** Whether the answer begins with y; the end of the input is a no. @throws InterruptedError after Ctrl-C. */
export async function isConfirmed(
  question: string,
  { input }: Answerer,
  { stderr, interrupted }: Pick<CommandContext, 'stderr' | 'interrupted'>,
): Promise<boolean> {
  if (interrupted.aborted) throw new InterruptedError();
  stderr.write(`${question} [y/N] `);
  // Not as a terminal: Ctrl-C would then come here as a key, and not as the signal for which the command listens.
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
