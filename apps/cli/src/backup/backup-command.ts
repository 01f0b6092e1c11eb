import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';

export const backupCommand = (context: CommandContext): Command =>
  withHelp(
    new Command('backup')
      .description('Copies the embedded database into a folder, while the service runs or is stopped.')
      .argument('<dir>', 'the folder to make; it must not exist, or be empty')
      .option('--json', 'folder, files, bytes and end of the write-ahead log as JSON (default: a line)')
      .action(async (dir: string, options: { readonly json?: true }) =>
        (await import('./run-backup.ts')).backup(dir, options.json ?? false, context),
      ),
    {
      notes: [
        'The service goes on meanwhile; everything it acknowledged before the command ends its copy is in the backup.',
        'The file secrets.key of the data folder is not in the backup; it decrypts the secrets of webhooks, so copy it as well.',
        'To restore, start with LAUREL_DATA_DIR set to the folder, or to a copy of it.',
        'A database of your own (LAUREL_DATABASE_URL) is backed up with the tools of Postgres.',
      ],
      examples: ['backup backups/2026-11-21'],
    },
  );
