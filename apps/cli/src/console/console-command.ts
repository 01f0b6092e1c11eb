import { SCOPES } from '@laurel/schemas/scopes';
import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { serviceCommand, withServiceOptions, type AnswerOptions } from '../service/service-options.ts';

export const consoleCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('console')
        .description('Prints a link that signs a browser in once, within 30 minutes; or shows who is signed in.')
        .addOption(
          new Option(
            '--scope <scope...>',
            'what the browser may do; once for each (default: whatever the caller may, by the socket everything)',
          ).choices(SCOPES),
        )
        .option('--json', 'the answer of POST /admin/v1/console-links as it is (default: the link alone)'),
    )
      .action(loadAction(context, async () => (await import('./print-link.ts')).printLink))
      .addCommand(sessionsCommand(context)),
    { examples: ['console', 'console --scope read --scope support'] },
  );

const sessionsCommand = (context: CommandContext): Command =>
  new Command('sessions')
    .description('Lists and ends the sessions of browsers.')
    .addCommand(listCommand(context))
    .addCommand(endCommand(context));

const listCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('list', 'Lists who is signed in with a browser, oldest first.')
      .option('--json', 'the answer of GET /admin/v1/console-sessions as it is (default: a table)')
      // `console` itself declares the same options, so commander may have read them there.
      .action(async (_: AnswerOptions, command: Command) =>
        (await import('./list-sessions.ts')).listSessions(command.optsWithGlobals(), context),
      ),
    { examples: ['console sessions list', 'console sessions list --json'] },
  );

const endCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('end', 'Ends a session: its browser has to sign in again.')
      .argument('<id>', 'the id that `console sessions list` shows')
      .option('--json', 'the answer of DELETE /admin/v1/console-sessions/{id} as it is (default: for people)')
      .action(async (id: string, _: AnswerOptions, command: Command) =>
        (await import('./end-session.ts')).endSession(id, command.optsWithGlobals(), context),
      ),
    { examples: ['console sessions end 0199a4c2-7d3e-4f00-8000-5c2f9d1e4b6a'] },
  );
