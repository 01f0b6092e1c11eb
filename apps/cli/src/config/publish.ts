import { resolve } from 'node:path';
import type { ConfigurationPlanAnswer, PublishedConfigurationAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { printLines } from '../terminal/print.ts';
import { documentText } from './configuration-file.ts';
import { planReport } from './plan-report.ts';
import { isConfirmed, STDIN, type Answerer } from '../terminal/terminal-question.ts';

export interface PublishOptions extends AnswerOptions {
  readonly yes?: true;
  readonly accept?: true;
  readonly reason?: string;
}

export async function plan(file: string, options: AnswerOptions, context: CommandContext): Promise<void> {
  const text = await documentText(file, context);
  const service = await connectService(options, context);
  await printAnswer(context, options, await planOf(service, text), planReport);
}

export async function publish(
  file: string,
  options: PublishOptions,
  context: CommandContext,
  answerer: Answerer = STDIN,
): Promise<void> {
  const text = await documentText(file, context);
  const service = await connectService(options, context);
  const planned = await planOf(service, text);
  const changes = planned.changes.length > 0;
  if (changes) await printLines(context.stderr, planReport(planned));
  if (changes && !options.yes && !options.accept && !(await isWanted(context, answerer))) {
    await printLines(context.stderr, ['nothing was published']);
    context.setExitCode(1);
    return;
  }
  const { accept, reason } = options;
  const body = { text, plan: planned.id, ...(accept && { accept }), ...(reason !== undefined && { reason }) };
  const published = await service.ask((client, settings) =>
    client.POST('/admin/v1/configurations', { body, ...settings }),
  );
  await printAnswer(context, options, published, () =>
    changes ? publishedLines(published, file) : alreadyLines(published, text, file),
  );
}

const planOf = (service: ServiceConnection, text: string): Promise<ConfigurationPlanAnswer> =>
  service.ask((client, settings) => client.POST('/admin/v1/configurations/plan', { body: { text }, ...settings }));

const alreadyLines = (published: PublishedConfigurationAnswer, text: string, file: string): string[] => [
  `version ${published.version} is in force already and says the same: nothing was published`,
  ...(published.text === text
    ? [`It now has the text of ${plainText(resolve(file), LONGEST_PATH)}, comments included.`]
    : []),
];

async function isWanted(context: CommandContext, answerer: Answerer): Promise<boolean> {
  if (!answerer.isTerminal)
    throw new CommandError(2, 'nothing was published: there is no terminal to ask on; give --yes');
  return isConfirmed('Publish it?', answerer, context);
}

function publishedLines({ version, publishedAt }: PublishedConfigurationAnswer, file: string): string[] {
  return [
    `version ${version} is in force since ${plainText(publishedAt)}`,
    'It stays in force, with all that is recorded, until a start finds the file of LAUREL_CONFIG changed.',
    `Let LAUREL_CONFIG name ${plainText(resolve(file), LONGEST_PATH)}: starts then keep the data and publish what you change in that file.`,
  ];
}

const LONGEST_PATH = 4_096;
