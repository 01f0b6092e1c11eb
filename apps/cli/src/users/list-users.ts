import type { UserAnswer } from '@laurel/contracts';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';
import { pages } from './pages.ts';

export interface UsersOptions extends ServiceOptions {
  readonly limit: number;
  readonly json?: true;
}

export async function listUsers(
  prefix: string,
  { limit, ...options }: UsersOptions,
  context: CommandContext,
): Promise<void> {
  const service = await connectService(options, context);
  const rows: string[][] = [];
  const found = pages(limit, async (page) => {
    const query = { ...page, ...(prefix !== '' && { prefix }) };
    const { users, next } = await service.ask((client, settings) =>
      client.GET('/admin/v1/users', { params: { query }, ...settings }),
    );
    return { rows: users, next };
  });
  for await (const users of found) {
    if (options.json) await print(context.stdout, users.map(jsonLine).join(''));
    else rows.push(...users.map(rowOf));
  }
  if (!options.json) await printLines(context.stdout, rows.length === 0 ? ['there are none'] : table(HEADER, rows));
}

const HEADER = ['id', 'name', 'e-mail', 'zone', 'created'];

const rowOf = ({ id, name, email, tz, created }: UserAnswer): string[] => [
  id,
  name ?? '',
  email ?? '',
  tz ?? 'UTC',
  created,
];
