import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { reasonOption, serviceCommand } from '../service/service-options.ts';
import { createKeyCommand } from './create-key-command.ts';

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

const listKeysCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('list', 'Lists the API keys, revoked ones as well. The keys themselves are kept nowhere.')
      .option('--json', 'the answer of GET /admin/v1/keys as it is (default: a table)')
      .action(loadAction(context, async () => (await import('./list-keys.ts')).listKeys)),
    { examples: ['keys list', 'keys list --json'] },
  );

const revokeKeyCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('revoke', 'Revokes an API key: it is refused from now on. Again: no change.')
      .argument('<id>', 'the id that `keys list` shows, which is not the key itself')
      .addOption(reasonOption())
      .option('--json', 'the answer of DELETE /admin/v1/keys/{id} as it is (default: for people)')
      .action(loadAction(context, async () => (await import('./revoke-key.ts')).revokeKey)),
    { examples: ['keys revoke 0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a'] },
  );
