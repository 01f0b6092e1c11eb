import type { ApiKeyAnswer } from '@laurel/contracts';
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { connectService } from '../service/service-connection.ts';
import { withServiceOptions, type ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';

interface ListOptions extends ServiceOptions {
  readonly json?: true;
}

export const listKeysCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('list').description(
        'Lists the API keys, revoked ones as well. The keys themselves are kept nowhere.',
      ),
    )
      .option('--json', 'the answer of GET /admin/v1/keys as it is (default: a table)')
      .action((options: ListOptions) => listKeys(options, context)),
    { examples: ['keys list', 'keys list --json'] },
  );

async function listKeys(options: ListOptions, context: CommandContext): Promise<void> {
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
