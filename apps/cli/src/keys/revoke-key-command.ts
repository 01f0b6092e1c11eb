import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { reasonOption } from '../service/reason-option.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { RevokeOptions } from './revoke-key.ts';

export const revokeKeyCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('revoke')
        .description('Revokes an API key: it is refused from now on. Again: no change.')
        .argument('<id>', 'the id that `keys list` shows, which is not the key itself'),
    )
      .addOption(reasonOption())
      .option('--json', 'the answer of DELETE /admin/v1/keys/{id} as it is (default: for people)')
      .action(async (id: string, options: RevokeOptions) =>
        (await import('./revoke-key.ts')).revokeKey(id, options, context),
      ),
    { examples: ['keys revoke 0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a'] },
  );
