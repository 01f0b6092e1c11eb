import { nearName, suggested } from '@laurel/schemas/near-name';
import { misspelledVariables, unknownVariables } from '@laurel/runtime/surroundings';
import { Command, CommanderError } from 'commander';
import { OUTPUT_CLOSED, OutputClosedError, type CommandContext, type Surroundings } from './command-context.ts';
import { CommandError, InterruptedError } from './command-error.ts';
import { auditCommand } from './audit/audit-command.ts';
import { backupCommand } from './backup/backup-command.ts';
import { configCommand } from './config/config-command.ts';
import { consoleCommand } from './console/console-command.ts';
import { demoCommand } from './demo/demo-command.ts';
import { digestCommand } from './digest/digest-command.ts';
import { exportCommand } from './export/export-command.ts';
import { withProgramHelp } from './help-text.ts';
import { amendCommand, retractCommand } from './correct/correct-command.ts';
import { grantCommand } from './grant/grant-command.ts';
import { importCommand } from './import/import-command.ts';
import { keysCommand } from './keys/keys-command.ts';
import { logCommand } from './log/log-command.ts';
import { plainText } from './plain-text.ts';
import { rebuildCommand } from './rebuild/rebuild-command.ts';
import { refundCommand, spendCommand } from './spend/spend-command.ts';
import { stateCommand } from './state/state-command.ts';
import { statusCommand } from './status/status-command.ts';
import { upgradeCommand } from './upgrade/upgrade-command.ts';
import { userCommand } from './user/user-command.ts';
import { usersCommand } from './users/users-command.ts';
import { eventCommand, whyCommand } from './why/why-command.ts';
import { verifyCommand } from './verify/verify-command.ts';
import { webhooksCommand } from './webhooks/webhooks-command.ts';
import { releaseVersion } from './version.ts';

/** Runs a command line and returns its exit code. Prints errors on the standard error. */
export async function runLaurel(words: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode = 0;
  const setExitCode = (code: number): void => {
    exitCode = code;
  };
  try {
    await laurelProgram({ ...surroundings, setExitCode }).parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    return failureOf(error, surroundings);
  }
}

export function laurelProgram(context: CommandContext): Command {
  const program = new Command('laurel')
    .description(
      'Operates a Laurel service: asks the one that runs, or, where it can, the database of one that is stopped.',
    )
    .version(releaseVersion(), '-V, --version', 'show the release of this command line')
    .addCommand(statusCommand(context))
    .addCommand(importCommand(context))
    .addCommand(configCommand(context))
    .addCommand(grantCommand(context))
    .addCommand(spendCommand(context))
    .addCommand(refundCommand(context))
    .addCommand(retractCommand(context))
    .addCommand(amendCommand(context))
    .addCommand(keysCommand(context))
    .addCommand(consoleCommand(context))
    .addCommand(webhooksCommand(context))
    .addCommand(auditCommand(context))
    .addCommand(userCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(usersCommand(context))
    .addCommand(whyCommand(context))
    .addCommand(eventCommand(context))
    .addCommand(rebuildCommand(context))
    .addCommand(digestCommand(context))
    .addCommand(logCommand(context))
    .addCommand(verifyCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(upgradeCommand(context))
    .addCommand(stateCommand(context))
    .addCommand(demoCommand(context));
  withProgramHelp(program, ['status', 'import history.ndjson', 'keys create --help']);
  program.hook('preAction', () => checkVariableNames(context));
  settle(program, context);
  return program;
}

/**
 * @throws CommandError with exit code 2 for an unknown variable that is close to a known one; other unknown ones cause
 * a warning.
 */
function checkVariableNames({ variables, stderr }: CommandContext): void {
  const misspelled = misspelledVariables(variables);
  if (misspelled.length > 0) throw new CommandError(2, misspelled.join('\n'));
  for (const warning of unknownVariables(variables)) stderr.write(`laurel: warning: ${plainText(warning)}\n`);
}

/** Makes every command print errors and help in the same way, without ending the process. */
function settle(command: Command, context: CommandContext): void {
  const { stdout, stderr } = context;
  command
    .exitOverride()
    .showHelpAfterError('(add --help for the usage)')
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) => write(withNearestChoice(text.replace(/^error: /, 'laurel: '))),
    });
  for (const child of command.commands) settle(child, context);
}

const UNKNOWN_CHOICE = /'([^']*)' is invalid.* Allowed choices are (.+)(?=\.\n?$)/;

/** Commander itself lists only the valid choices. */
const withNearestChoice = (text: string): string =>
  text.replace(
    UNKNOWN_CHOICE,
    (sentence, written: string, choices: string) => `${sentence}${suggested(nearName(written, choices.split(', ')))}`,
  );

function failureOf(error: unknown, { stderr, interrupted }: Surroundings): number {
  // Help, or an error that commander has already printed.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message = error instanceof Error ? error.message : String(error);
  const isUnread = interrupted.reason instanceof OutputClosedError;
  if (isUnread && (isClosedPipe(error) || (error instanceof InterruptedError && message === ''))) return OUTPUT_CLOSED;
  const said = error instanceof InterruptedError && message === '' ? 'stopped' : message;
  stderr.write(
    `laurel: ${said
      .split('\n')
      .map((line) => plainText(line, LONGEST_LINE))
      .join('\n')}\n`,
  );
  if (isUnread && error instanceof InterruptedError) return OUTPUT_CLOSED;
  return error instanceof CommandError ? error.exitCode : 2;
}

const isClosedPipe = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';

const LONGEST_LINE = 8_000;
