import type { UserAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';
import { pages } from './pages.ts';

export interface UsersOptions extends ServiceOptions {
  readonly limit: number;
  readonly json?: true;
  /** Key of an achievement: those who completed it. */
  readonly completed?: string;
  /** Keys of a points system and one of its levels, `SYSTEM/LEVEL`: those who are on it. */
  readonly level?: string;
  /** Exactly this address. */
  readonly email?: string;
  /** With which a name, or a word of it, begins. */
  readonly name?: string;
}

export async function listUsers(
  prefix: string,
  { limit, ...options }: UsersOptions,
  context: CommandContext,
): Promise<void> {
  const { completed, level, email, name } = options;
  const sought = { ...(email !== undefined && { email }), ...(name !== undefined && { name }) };
  const asked = [
    prefix !== '' && 'a prefix',
    completed !== undefined && '--completed',
    level !== undefined && '--level',
    email !== undefined && '--email',
    name !== undefined && '--name',
  ];
  const [one, other] = asked.filter((each) => each !== false);
  if (one !== undefined && other !== undefined) throw new CommandError(2, `${other} does not go with ${one}`);
  if (completed !== undefined) return listCompletions(completed, { limit, ...options }, context);
  if (level !== undefined) return listUsersOnLevel(level, { limit, ...options }, context);
  const service = await connectService(options, context);
  const rows: string[][] = [];
  const found = pages(limit, async (page) => {
    const limit = email === undefined && name === undefined ? page.limit : Math.min(page.limit, MOST_FOUND);
    const query = { ...page, limit, ...(prefix !== '' && { prefix }), ...sought };
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

/** A page of those found by e-mail or name. */
const MOST_FOUND = 20;

/** Newest first. */
async function listCompletions(
  key: string,
  { limit, ...options }: UsersOptions,
  context: CommandContext,
): Promise<void> {
  const service = await connectService(options, context);
  const rows: string[][] = [];
  const found = pages(limit, async (query) => {
    const { completions, next } = await service.ask((client, settings) =>
      client.GET('/admin/v1/achievements/{key}/completions', { params: { path: { key }, query }, ...settings }),
    );
    return { rows: completions, next };
  });
  for await (const completions of found) {
    if (options.json) await print(context.stdout, completions.map(jsonLine).join(''));
    else rows.push(...completions.map(({ userId, achievedAt }) => [userId, achievedAt]));
  }
  if (!options.json) await printLines(context.stdout, rows.length === 0 ? ['there are none'] : table(COMPLETED, rows));
}

/** Newest first. */
async function listUsersOnLevel(
  named: string,
  { limit, ...options }: UsersOptions,
  context: CommandContext,
): Promise<void> {
  const [key = '', level = '', ...rest] = named.split('/');
  if (key === '' || level === '' || rest.length > 0)
    throw new CommandError(2, `--level must be SYSTEM/LEVEL, as in xp/novice, not '${named}'`);
  const service = await connectService(options, context);
  const rows: string[][] = [];
  const found = pages(limit, async (query) => {
    const { users, next } = await service.ask((client, settings) =>
      client.GET('/admin/v1/points/{key}/levels/{level}/users', {
        ...{ params: { path: { key, level }, query }, ...settings },
      }),
    );
    return { rows: users, next };
  });
  for await (const users of found) {
    if (options.json) await print(context.stdout, users.map(jsonLine).join(''));
    else rows.push(...users.map(({ userId, reachedAt }) => [userId, reachedAt]));
  }
  if (!options.json) await printLines(context.stdout, rows.length === 0 ? ['there are none'] : table(REACHED, rows));
}

const REACHED = ['id', 'reached'];
const COMPLETED = ['id', 'completed'];
const HEADER = ['id', 'name', 'e-mail', 'zone', 'created'];

const rowOf = ({ id, name, email, tz, created }: UserAnswer): string[] => [
  id,
  name ?? '',
  email ?? '',
  tz ?? 'UTC',
  created,
];
