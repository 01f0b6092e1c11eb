import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';

export const stateCommand = (context: CommandContext): Command =>
  withHelp(
    new Command('state')
      .description('Prints the whole read models as JSON, as of now: users, and the rankings of every run.')
      .option('--url <url>', 'ask the service at this address (default: the database of the environment is read)')
      .option('--api-key <key>', 'a key with the scope admin, for --url (default: LAUREL_API_KEY)')
      .action(loadAction(context, async () => (await import('./print-state.ts')).printState)),
    {
      notes: [
        'Without --url the data of LAUREL_DATA_DIR or LAUREL_DATABASE_URL is read, whether or not the service runs.',
      ],
      examples: ['state > state.json', 'state --url https://laurel.example.org > state.json'],
    },
  );
