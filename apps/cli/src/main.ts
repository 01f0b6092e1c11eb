import { Command } from 'commander';
import { importCommand } from './import/import-command.ts';
import { stateCommand } from './state/state-command.ts';
import { CommandError } from './command-error.ts';

// Whoever reads our output may have had enough of it (`| head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 2);
});

const program = new Command('laurel')
  .description('Operates a Laurel service.')
  .showHelpAfterError('(add --help for the usage)')
  .addCommand(importCommand())
  .addCommand(stateCommand());

try {
  await program.parseAsync();
} catch (error) {
  console.error(`laurel: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof CommandError ? error.exitCode : 2;
}
