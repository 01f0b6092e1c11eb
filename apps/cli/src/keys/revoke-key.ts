import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import { refusedAs } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';

export interface RevokeOptions extends AnswerOptions {
  readonly reason?: string;
}

export async function revokeKey(id: string, options: RevokeOptions, context: CommandContext): Promise<void> {
  if (id.startsWith('lrl_')) throw new CommandError(2, 'that is a key, not the id of one: keys list shows the ids');
  const service = await connectService(options, context);
  const { reason } = options;
  const params = { path: { id }, ...(reason !== undefined && { query: { reason } }) };
  const key = await service
    .ask((client, settings) => client.DELETE('/admin/v1/keys/{id}', { params, ...settings }))
    .catch(refusedAs('unknown_key', `there is no key ${plainText(id)}: keys list shows them`));
  await printAnswer(context, options, key, () => [
    `revoked ${plainText(key.id)} "${plainText(key.label)}" as of ${plainText(key.revokedAt ?? '')}`,
  ]);
}
