import type { ConsoleSession } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';

export interface ListOptions extends ServiceOptions {
  readonly json?: true;
}

export async function listSessions(options: ListOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const sessions = await service.ask((client, settings) => client.GET('/admin/v1/console-sessions', settings));
  if (options.json) return print(context.stdout, jsonLine(sessions));
  await printLines(
    context.stdout,
    sessions.length === 0 ? ['nobody is signed in'] : table(HEADER, sessions.map(rowOf)),
  );
}

const HEADER = ['id', 'by', 'scopes', 'opened', 'last used', 'ends'];

const rowOf = ({ id, by, scopes, createdAt, usedAt, expiresAt }: ConsoleSession): string[] => [
  ...[id, by ?? '', scopes.join(','), createdAt, usedAt, expiresAt],
];
