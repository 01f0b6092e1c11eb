import type { CommandContext } from '../command-context.ts';
import { InterruptedError } from '../command-error.ts';
import { jsonLine, plainJson } from './plain-json.ts';
import { print, printLines } from './print.ts';

/** Prints an answer of the service: with `--json` as one line of JSON, otherwise as lines for people. */
export const printAnswer = <Answer>(
  { stdout }: CommandContext,
  { json }: { readonly json?: true },
  answer: Answer,
  linesOf: (answer: Answer) => readonly string[],
): Promise<void> => (json ? print(stdout, jsonLine(answer)) : printLines(stdout, linesOf(answer)));

/** Prints text as it arrives. @throws InterruptedError after Ctrl-C */
export async function printChunks(
  chunks: AsyncIterable<string>,
  { stdout, interrupted }: CommandContext,
  safe: (text: string) => string = plainJson,
): Promise<void> {
  for await (const chunk of chunks) {
    if (interrupted.aborted) throw new InterruptedError();
    await print(stdout, safe(chunk));
  }
}
