import { resolve } from 'node:path';
import type { PublishedConfigurationAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { ConfigService } from './config-service.ts';
import { documentText } from './configuration-file.ts';
import { planReport } from './plan-report.ts';
import { isConfirmed, STDIN, type Answerer } from '../terminal/terminal-question.ts';

export interface PublishOptions extends ServiceOptions {
  readonly yes?: true;
  readonly accept?: true;
  readonly reason?: string;
  readonly json?: true;
}

export async function publish(
  file: string,
  options: PublishOptions,
  context: CommandContext,
  answerer: Answerer = STDIN,
): Promise<void> {
  const text = await documentText(file, context);
  const service = await ConfigService.connect(options, context);
  const plan = await service.plan(text);
  const changes = plan.changes.length > 0;
  if (changes) await printLines(context.stderr, planReport(plan));
  if (changes && !options.yes && !options.accept && !(await isWanted(context, answerer))) {
    await printLines(context.stderr, ['nothing was published']);
    context.setExitCode(1);
    return;
  }
  const published = await service.publish(text, {
    plan: plan.id,
    ...(options.accept && { accept: true }),
    ...(options.reason !== undefined && { reason: options.reason }),
  });
  if (options.json) await print(context.stdout, jsonLine(published));
  else
    await printLines(context.stdout, changes ? publishedLines(published, file) : alreadyLines(published, text, file));
}

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
