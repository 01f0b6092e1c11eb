import { ACCOUNT } from '@laurel/kernel';
import { exportState } from '@laurel/exports';
import { createClock, readEnvironment } from '@laurel/runtime/surroundings';
import type { CommandContext } from '../command-context.ts';
import { withDatabase } from '../offline/open-database.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { printChunks } from '../terminal/print-answer.ts';
import { withReadModels } from './read-models.ts';

export async function printState(options: ServiceOptions, context: CommandContext): Promise<void> {
  if (options.url === undefined && options.apiKey === undefined) return printFromDatabase(context);
  const service = await connectService(options, context);
  const chunks = service.read((client, settings) => client.GET('/admin/v1/state', { parseAs: 'stream', ...settings }));
  await printChunks(chunks, context);
}

function printFromDatabase(context: CommandContext): Promise<void> {
  const { clock } = readEnvironment(context.variables);
  return withDatabase(context, (connection) =>
    withReadModels(connection, (models) =>
      printChunks(exportState(models, ACCOUNT, createClock(clock).now()), context),
    ),
  );
}
