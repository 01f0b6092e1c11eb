import type { Command } from 'commander';

/** The meaning of every exit code; a command may describe its 1 in more detail. */
const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'carried out'],
  ['1', 'carried out, and the answer is no: not ready, digest differs, some lines refused'],
  ['2', 'could not be carried out: wrong usage, no service, no permission, refused, failed'],
  ['130', 'stopped by Ctrl-C'],
  ['141', 'stopped because nobody reads its output any more (| head)'],
];

export interface HelpText {
  /** Complete command lines without `laurel`, each of which works. */
  readonly examples: readonly string[];
  /** Further lines. */
  readonly notes?: readonly string[];
  /** The meaning of exit code 1. Missing if the command never ends with it. */
  readonly no?: string;
}

/** Puts examples, notes and the exit codes below a command's help. */
export function withHelp(command: Command, { examples, notes, no }: HelpText): Command {
  const codes = EXIT_CODES.flatMap(([code, meaning]) =>
    code !== '1' ? [[code, meaning] as const] : no === undefined ? [] : [[code, no] as const],
  );
  return command.addHelpText(
    'after',
    [...(notes === undefined ? [] : ['', ...notes]), ...exitCodes(codes), ...exampleLines(examples)].join('\n'),
  );
}

/** The help of the program itself, with all exit codes. */
export const withProgramHelp = (program: Command, examples: readonly string[]): Command =>
  program.addHelpText('after', [...exitCodes(EXIT_CODES), ...exampleLines(examples)].join('\n'));

const exitCodes = (codes: readonly (readonly [string, string])[]): string[] => [
  '',
  'Exit codes:',
  ...codes.map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`),
];

const exampleLines = (examples: readonly string[]): string[] => [
  '',
  examples.length === 1 ? 'Example:' : 'Examples:',
  ...examples.map((example) => `  npx laurel ${example}`),
];
