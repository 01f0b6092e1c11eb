import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { serviceCommand } from '../service/service-options.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import type { UsersOptions } from './list-users.ts';

export const usersCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('users', 'Lists users by id, or those who completed an achievement or are on a level.')
      .argument('[prefix]', 'only those whose ids begin with it')
      .option('--completed <achievement>', 'only those who completed it, newest first (default: all users)')
      .option('--level <system/level>', 'only those who are on it, newest first (default: all users)')
      .option('--email <address>', 'only those with this address (default: all users)')
      .option('--name <text>', 'only those whose name, or a word of it, begins with it (default: all users)')
      .option('--limit <n>', 'how many users to show', wholeNumber(1), 50)
      .option('--json', 'a user a line, as GET /admin/v1/users has them (default: a table)')
      .action(async (prefix: string | undefined, options: UsersOptions) =>
        (await import('./list-users.ts')).listUsers(prefix ?? '', options, context),
      ),
    {
      examples: [
        'users',
        'users ad --limit 10',
        'users --completed first-lesson',
        'users --level xp/novice',
        'users --email ada@example.org',
        'users --name lovel',
        'users --limit 1000000 --json > users.ndjson',
      ],
    },
  );
