import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import { RefusedError } from '../service/service-error.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';

export interface RevokeOptions extends ServiceOptions {
  readonly reason?: string;
  readonly json?: true;
}

export async function revokeKey(id: string, options: RevokeOptions, context: CommandContext): Promise<void> {
  if (id.startsWith('lrl_')) throw new CommandError(2, 'that is a key, not the id of one: keys list shows the ids');
  const service = await connectService(options, context);
  const { reason } = options;
  const params = { path: { id }, ...(reason !== undefined && { query: { reason } }) };
  const key = await service
    .ask((client, settings) => client.DELETE('/admin/v1/keys/{id}', { params, ...settings }))
    .catch((error: unknown) => {
      throw isUnknownKey(error) ? new CommandError(2, `there is no key ${plainText(id)}: keys list shows them`) : error;
    });
  await print(
    context.stdout,
    options.json
      ? jsonLine(key)
      : `revoked ${plainText(key.id)} "${plainText(key.label)}" as of ${plainText(key.revokedAt ?? '')}\n`,
  );
}

const isUnknownKey = (error: unknown): boolean => error instanceof RefusedError && error.code === 'unknown_key';
