import type { ApiKeyAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';

export interface ListOptions extends ServiceOptions {
  readonly json?: true;
}

export async function listKeys(options: ListOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const keys = await service.ask((client, settings) => client.GET('/admin/v1/keys', settings));
  if (options.json) return print(context.stdout, jsonLine(keys));
  await printLines(context.stdout, keys.length === 0 ? ['there are no keys'] : table(HEADER, keys.map(rowOf)));
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
