import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { createKeyCommand } from './create-key-command.ts';
import { listKeysCommand } from './list-keys-command.ts';
import { revokeKeyCommand } from './revoke-key-command.ts';

export const keysCommand = (context: CommandContext): Command =>
  new Command('keys')
    .description('Makes, lists and revokes API keys.')
    .addCommand(createKeyCommand(context))
    .addCommand(listKeysCommand(context))
    .addCommand(revokeKeyCommand(context))
    .addHelpText(
      'after',
      '\nThe key of LAUREL_API_KEY is not among them: it is kept in the environment of the service alone.',
    );
