import type { ConsoleSession } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { table } from '../terminal/table.ts';

export async function listSessions(options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const sessions = await service.ask((client, settings) => client.GET('/admin/v1/console-sessions', settings));
  await printAnswer(context, options, sessions, () =>
    sessions.length === 0 ? ['nobody is signed in'] : table(HEADER, sessions.map(rowOf)),
  );
}

const HEADER = ['id', 'by', 'scopes', 'opened', 'last used', 'ends'];

const rowOf = ({ id, by, scopes, createdAt, usedAt, expiresAt }: ConsoleSession): string[] => [
  id,
  by ?? '',
  scopes.join(','),
  createdAt,
  usedAt,
  expiresAt,
];
