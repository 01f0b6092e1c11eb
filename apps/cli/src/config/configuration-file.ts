import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import {
  documentWarnings,
  formatProblems,
  MORE_PROBLEMS,
  parseDocument,
  type ParsedDocument,
  type DocumentProblem,
  type Warning,
} from '@laurel/configuration';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';

/** Reads a configuration file as a start of the service does. @throws CommandError with exit code 2 if it cannot be read. */
export async function readConfigurationFile(path: string): Promise<ParsedDocument & { readonly text: string }> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(2, `${plainText(path)} cannot be read (${error.code ?? error.message})`);
  });
  if (!isUtf8(bytes)) throw new CommandError(2, `${plainText(path)} is not encoded in UTF-8`);
  const text = new TextDecoder().decode(bytes);
  return { ...parseDocument(text, path), text };
}

/**
 * The text of a file with a valid document. Prints its warnings on stderr.
 * @throws CommandError with exit code 1 that lists every problem, with 2 if the file cannot be read
 */
export async function documentText(path: string, context: CommandContext): Promise<string> {
  const { document, text, problems, more } = await readConfigurationFile(path);
  if (document) {
    writeWarnings(documentWarnings(document), context);
    return text;
  }
  throw new CommandError(1, ['the configuration cannot be used', ...problemLines(problems, more)].join('\n'));
}

export function writeWarnings(warnings: readonly Warning[], { stderr }: CommandContext): void {
  for (const { path, message } of warnings) stderr.write(`warning: ${plainText(`${path} ${message}`)}\n`);
}

const LONGEST_LINE = 2_000;

/** Formats problems as `FILE:LINE:COLUMN path: message`, with a last line if there are more. */
export function problemLines(problems: readonly DocumentProblem[], more: boolean): string[] {
  const lines = problems.map((problem) => plainText(formatProblems([problem]), LONGEST_LINE));
  return more ? [...lines, MORE_PROBLEMS] : lines;
}
