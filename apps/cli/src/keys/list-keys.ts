import type { ApiKeyAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { table } from '../terminal/table.ts';

export async function listKeys(options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const keys = await service.ask((client, settings) => client.GET('/admin/v1/keys', settings));
  await printAnswer(context, options, keys, () =>
    keys.length === 0 ? ['there are no keys'] : table(HEADER, keys.map(rowOf)),
  );
}

const HEADER = ['id', 'label', 'scopes', 'created', 'expires', 'per minute', 'revoked'];

const rowOf = (key: ApiKeyAnswer): string[] => [
  key.id,
  key.label,
  key.scopes.join(','),
  key.createdAt,
  key.expiresAt ?? 'never',
  key.requestsPerMinute === null ? 'no limit' : String(key.requestsPerMinute),
  key.revokedAt ?? '',
];
