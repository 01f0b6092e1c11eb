import { exportState } from '@laurel/areas';
import { createClock, readEnvironment } from '@laurel/runtime';
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { InterruptedError } from '../command-error.ts';
import { withHelp } from '../help-text.ts';
import { ACCOUNT, withDatabase } from '../offline/open-database.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';
import { withReadModels } from './read-models.ts';

export const stateCommand = (context: CommandContext): Command =>
  withHelp(
    new Command('state')
      .description('Prints the whole read models as JSON, as of now: users, and the rankings of every run.')
      .option('--url <url>', 'ask the service at this address (default: the database of the environment is read)')
      .option('--api-key <key>', 'a key with the scope admin, for --url (default: LAUREL_API_KEY)')
      .action((options: ServiceOptions) => printState(options, context)),
    {
      notes: [
        'Without --url the data of LAUREL_DATA_DIR or LAUREL_DATABASE_URL is read, whether or not the service runs.',
      ],
      examples: ['state > state.json', 'state --url https://laurel.example.org > state.json'],
    },
  );

async function printState(options: ServiceOptions, context: CommandContext): Promise<void> {
  if (options.url === undefined && options.apiKey === undefined) return printFromDatabase(context);
  const service = await connectService(options, context);
  const pieces = service.read((client, settings) => client.GET('/admin/v1/state', { parseAs: 'stream', ...settings }));
  await printPieces(pieces, context);
}

function printFromDatabase(context: CommandContext): Promise<void> {
  const { clock } = readEnvironment(context.variables);
  return withDatabase(context, (connection) =>
    withReadModels(connection, (models) =>
      printPieces(exportState(models, ACCOUNT, createClock(clock).now()), context),
    ),
  );
}

async function printPieces(pieces: AsyncIterable<string>, { stdout, interrupted }: CommandContext): Promise<void> {
  for await (const piece of pieces) {
    if (interrupted.aborted) throw new InterruptedError();
    await print(stdout, plainJson(piece));
  }
}
