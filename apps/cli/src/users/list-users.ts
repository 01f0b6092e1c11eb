import type { CompletionPage, LevelUserPage, UserAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import { printPages, type ListOptions } from '../service/print-pages.ts';

export interface UsersOptions extends ListOptions {
  /** Key of an achievement: only users who completed it. */
  readonly completed?: string;
  /** Keys of a points system and one of its levels, `SYSTEM/LEVEL`: only users on it. */
  readonly level?: string;
  /** Exactly this address. */
  readonly email?: string;
  /** The beginning of the name, or of a word in it. */
  readonly name?: string;
}

export async function listUsers(prefix: string, options: UsersOptions, context: CommandContext): Promise<void> {
  const { completed, level, email, name } = options;
  const filters = [
    prefix !== '' && 'a prefix',
    completed !== undefined && '--completed',
    level !== undefined && '--level',
    email !== undefined && '--email',
    name !== undefined && '--name',
  ];
  const [one, other] = filters.filter((each) => each !== false);
  if (one !== undefined && other !== undefined) throw new CommandError(2, `${other} does not go with ${one}`);
  const named = level === undefined ? null : levelNamed(level);
  const service = await connectService(options, context);
  if (completed !== undefined) return printCompletions(service, completed, options, context);
  if (named !== null) return printUsersOnLevel(service, named, options, context);
  const filter = {
    ...(prefix !== '' && { prefix }),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
  };
  await printPages(options, context, {
    header: HEADER,
    rowOf,
    ...((email !== undefined || name !== undefined) && { rowsPerPage: MOST_FOUND }),
    ask: async (page) => {
      const params = { query: { ...page, ...filter } };
      const { users, next } = await service.ask((client, settings) =>
        client.GET('/admin/v1/users', { params, ...settings }),
      );
      return { rows: users, next };
    },
  });
}

/** Most users that one request finds by e-mail or name. */
const MOST_FOUND = 20;

/** Newest first. */
const printCompletions = (
  service: ServiceConnection,
  key: string,
  options: UsersOptions,
  context: CommandContext,
): Promise<void> =>
  printPages(options, context, {
    header: COMPLETED,
    rowOf: ({ userId, achievedAt }: CompletionPage['completions'][number]) => [userId, achievedAt],
    ask: async (query) => {
      const params = { path: { key }, query };
      const { completions, next } = await service.ask((client, settings) =>
        client.GET('/admin/v1/achievements/{key}/completions', { params, ...settings }),
      );
      return { rows: completions, next };
    },
  });

interface NamedLevel {
  readonly key: string;
  readonly level: string;
}

function levelNamed(text: string): NamedLevel {
  const [key = '', level = '', ...rest] = text.split('/');
  if (key === '' || level === '' || rest.length > 0)
    throw new CommandError(2, `--level must be SYSTEM/LEVEL, as in xp/novice, not '${text}'`);
  return { key, level };
}

/** Newest first. */
const printUsersOnLevel = (
  service: ServiceConnection,
  path: NamedLevel,
  options: UsersOptions,
  context: CommandContext,
): Promise<void> =>
  printPages(options, context, {
    header: REACHED,
    rowOf: ({ userId, reachedAt }: LevelUserPage['users'][number]) => [userId, reachedAt],
    ask: async (query) => {
      const params = { path, query };
      const { users, next } = await service.ask((client, settings) =>
        client.GET('/admin/v1/points/{key}/levels/{level}/users', { params, ...settings }),
      );
      return { rows: users, next };
    },
  });

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
