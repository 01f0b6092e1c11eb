import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { serviceCommand, type AnswerOptions } from '../service/service-options.ts';
import { wholeNumber } from '../terminal/whole-number.ts';

export const webhooksCommand = (context: CommandContext): Command =>
  new Command('webhooks')
    .description('Makes, lists and changes webhooks, and shows what was sent to them.')
    .addCommand(listCommand(context))
    .addCommand(createCommand(context))
    .addCommand(changeCommand(context))
    .addCommand(deleteCommand(context))
    .addCommand(enableCommand(context))
    .addCommand(disableCommand(context))
    .addCommand(testCommand(context))
    .addCommand(deliveriesCommand(context))
    .addCommand(resendCommand(context))
    .addCommand(replayCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(listenCommand(context));

const ID = 'the id that `webhooks list` shows';
const EXAMPLE = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';

const listCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('list', 'Lists the webhooks, and how sending to each of them goes.')
      .option('--json', 'the answer of GET /admin/v1/webhooks as it is (default: a table)')
      .action(loadAction(context, async () => (await import('./list-webhooks.ts')).listWebhooks)),
    {
      examples: ['webhooks list', 'webhooks list --json'],
      notes: ['behind: outcomes that it has still to be asked about. unfinished: deliveries under way.'],
    },
  );

const createCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'create',
      'Makes a webhook and prints its secret, alone on the standard output: the secret is never shown again.',
    )
      .argument('<address>', 'where outcomes are sent, such as https://example.com/laurel')
      .option('--type <type...>', 'only these types of outcomes, such as streak.lost (default: all)')
      .option('--description <text>', 'what it is for, for people (default: none)')
      .addOption(orderingOption('user'))
      .addOption(intervalOption('900'))
      .option('--trophy-signature', 'send `X-Trophy-Signature` as well')
      .option(
        '--json',
        'the answer of POST /admin/v1/webhooks as it is, the secret among it (default: the secret alone)',
      )
      .action(loadAction(context, async () => (await import('./create-webhook.ts')).createWebhook)),
    {
      examples: [
        'webhooks create https://example.com/laurel --type achievement.completed --description "mail"',
        'webhooks create https://example.com/laurel --ordering strict > secret.txt',
      ],
    },
  );

const changeCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'change',
      'Changes a webhook. What is already on its way stays as it is, but goes to the new address.',
    )
      .argument('<id>', ID)
      .option('--address <address>', 'where outcomes are sent (default: unchanged)')
      .addOption(
        new Option('--type <type...>', 'only these types of outcomes (default: unchanged)').conflicts('allTypes'),
      )
      .option('--all-types', 'all types of outcomes')
      .option('--description <text>', 'what it is for, for people (default: unchanged)')
      .addOption(orderingOption('unchanged'))
      .addOption(intervalOption('unchanged'))
      .option('--trophy-signature', 'send `X-Trophy-Signature` as well')
      .option('--no-trophy-signature', 'send it no longer')
      .option('--json', 'the answer of PATCH /admin/v1/webhooks/{id} as it is (default: for people)')
      .action(loadAction(context, async () => (await import('./one-webhook.ts')).changeWebhook)),
    {
      examples: [
        `webhooks change ${EXAMPLE} --address https://example.com/new`,
        `webhooks change ${EXAMPLE} --type streak.lost --type streak.started --no-trophy-signature`,
      ],
    },
  );

const deleteCommand = (context: CommandContext): Command =>
  ofOne(
    serviceCommand('delete', 'Deletes a webhook and its deliveries, with what has not arrived yet.'),
    'DELETE /admin/v1/webhooks/{id}',
    loadAction(context, async () => (await import('./one-webhook.ts')).deleteWebhook),
  );

const enableCommand = (context: CommandContext): Command =>
  ofOne(
    serviceCommand('enable', 'Enables a webhook: what has waited for it is sent.'),
    'POST /admin/v1/webhooks/{id}/enable',
    loadAction(context, async () => (await import('./one-webhook.ts')).enableWebhook),
  );

const disableCommand = (context: CommandContext): Command =>
  ofOne(
    serviceCommand(
      'disable',
      'Disables a webhook: nothing is sent to it until it is enabled, and outcomes wait for it for up to 30 days.',
    ),
    'POST /admin/v1/webhooks/{id}/disable',
    loadAction(context, async () => (await import('./one-webhook.ts')).disableWebhook),
  );

const testCommand = (context: CommandContext): Command =>
  ofOne(
    serviceCommand('test', 'Sends one request of the type `webhook.test`, also to a webhook that is disabled.'),
    'POST /admin/v1/webhooks/{id}/test',
    loadAction(context, async () => (await import('./send-outcomes.ts')).testWebhook),
    'it was not answered with 2xx in time',
  );

const deliveriesCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('deliveries', 'Lists what was sent to a webhook, or waits to be, the newest first.')
      .argument('<id>', ID)
      .addOption(
        new Option('--state <state>', 'only those in this state (default: all)').choices([
          'waiting',
          'pending',
          'failed',
          'delivered',
          'abandoned',
        ]),
      )
      .option('--limit <n>', 'how many at most', wholeNumber(1), 20)
      .option('--json', 'each delivery of GET /admin/v1/webhooks/{id}/deliveries as it is (default: a table)')
      .action(loadAction(context, async () => (await import('./list-deliveries.ts')).listDeliveries)),
    { examples: [`webhooks deliveries ${EXAMPLE}`, `webhooks deliveries ${EXAMPLE} --state abandoned --limit 100`] },
  );

const resendCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('resend', 'Sends a delivery again, with as many attempts as a new one.')
      .argument('<id>', ID)
      .argument('<delivery>', 'the id that `webhooks deliveries` shows')
      .option(
        '--json',
        'the answer of POST /admin/v1/webhooks/{id}/deliveries/{delivery}/resend as it is (default: for people)',
      )
      .action(loadAction(context, async () => (await import('./send-outcomes.ts')).resendDelivery)),
    { examples: [`webhooks resend ${EXAMPLE} 4711`] },
  );

const replayCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'replay',
      'Sends outcomes again, up to the last that the webhook has had. Another replay of it ends.',
    )
      .argument('<id>', ID)
      .addOption(
        new Option('--from <sequence>', 'sequence of the first outcome that is sent again (required)')
          .argParser(wholeNumber(1))
          .makeOptionMandatory(),
      )
      .option('--type <type...>', 'only these types of outcomes (default: those of the webhook)')
      .option('--json', 'the answer of POST /admin/v1/webhooks/{id}/replay as it is (default: for people)')
      .action(loadAction(context, async () => (await import('./send-outcomes.ts')).replayWebhook)),
    { examples: [`webhooks replay ${EXAMPLE} --from 1200`, `webhooks replay ${EXAMPLE} --from 1 --type streak.lost`] },
  );

const rotateCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'rotate',
      'Gives a webhook a new secret and prints it, alone on the standard output: the secret is never shown again.',
    )
      .argument('<id>', ID)
      .option(
        '--json',
        'the answer of POST /admin/v1/webhooks/{id}/secret as it is, the secret among it (default: the secret alone)',
      )
      .action(loadAction(context, async () => (await import('./rotate-secret.ts')).rotateSecret)),
    {
      examples: [`webhooks rotate ${EXAMPLE} > secret.txt`],
      notes: ['The secret before it signs as well for 24 hours; a third one ends at once.'],
    },
  );

const listenCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'listen',
      'Shows what is sent to a webhook on this machine, and whether its signature is right, until Ctrl-C. For development.',
    )
      .option('--port <n>', 'the port of 127.0.0.1 that it listens on; 0: any', wholeNumber(0, 65_535, 'a port'), 8080)
      .option('--secret <secret>', 'verify by this secret (default: that of a webhook made for as long as it listens)')
      .option('--type <type...>', 'make the webhook for these types of outcomes only (default: all)')
      .option('--json', 'each delivery with its whole body as a line of JSON (default: a line for people)')
      .action(loadAction(context, async () => (await import('./listen-for-deliveries.ts')).listenForDeliveries)),
    {
      examples: ['webhooks listen', 'webhooks listen --type streak.lost --json'],
      notes: [
        'To make a webhook to this machine, the service must run here, with LAUREL_WEBHOOK_ALLOW=127.0.0.1.',
        'Every delivery is answered with 204, also if its signature is wrong.',
      ],
    },
  );

/** A command whose only argument is the id of a webhook. */
const ofOne = (
  command: Command,
  route: string,
  act: (id: string, options: AnswerOptions, command: Command) => Promise<void>,
  no?: string,
): Command =>
  withHelp(
    command.argument('<id>', ID).option('--json', `the answer of ${route} as it is (default: for people)`).action(act),
    { examples: [`webhooks ${command.name()} ${EXAMPLE}`], ...(no !== undefined && { no }) },
  );

const orderingOption = (otherwise: string): Option =>
  new Option(
    '--ordering <ordering>',
    `user: one that fails holds back only those of its user; strict: all come in order, one at a time (default: ${otherwise})`,
  ).choices(['user', 'strict']);

const intervalOption = (otherwise: string): Option =>
  new Option(
    '--minimum-interval <seconds>',
    `send what changes often at most once in that time for each user and subject; 0: each time (default: ${otherwise})`,
  ).argParser(wholeNumber(0, 86_400, 'a number of seconds'));
