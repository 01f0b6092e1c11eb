import { ACCOUNT } from '@laurel/kernel';
import { exportState } from '@laurel/exports';
import { createClock, readEnvironment } from '@laurel/runtime/surroundings';
import type { CommandContext } from '../command-context.ts';
import { InterruptedError } from '../command-error.ts';
import { withDatabase } from '../offline/open-database.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';
import { withReadModels } from './read-models.ts';

export async function printState(options: ServiceOptions, context: CommandContext): Promise<void> {
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
