import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import { RefusedError } from '../service/service-error.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';

export interface EndOptions extends ServiceOptions {
  readonly json?: true;
}

export async function endSession(id: string, options: EndOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const params = { path: { id } };
  const session = await service
    .ask((client, settings) => client.DELETE('/admin/v1/console-sessions/{id}', { params, ...settings }))
    .catch((error: unknown) => {
      throw isUnknown(error)
        ? new CommandError(2, `there is no session ${plainText(id)}: console sessions list shows them`)
        : error;
    });
  await print(
    context.stdout,
    options.json ? jsonLine(session) : `ended the session ${plainText(session.id)} of ${plainText(session.by ?? '')}\n`,
  );
}

const isUnknown = (error: unknown): boolean => error instanceof RefusedError && error.code === 'unknown_session';
