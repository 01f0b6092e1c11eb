import { formatDocument } from '@laurel/configuration';
import type { ConfigurationVersionAnswer, PublishedConfigurationAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import { refusedAs } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { plainLines } from '../terminal/plain-lines.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { print } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';

export async function show(version: string, options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const params = { path: { version } };
  const published = await service
    .ask((client, settings) => client.GET('/admin/v1/configurations/{version}', { params, ...settings }))
    .catch(refusedAs('unknown_configuration', `there is no version ${plainText(version)}: config history shows them`));
  await print(context.stdout, options.json ? jsonOf(published) : textOf(published, context.stdout.isTTY === true));
}

const jsonOf = ({ document }: PublishedConfigurationAnswer): string =>
  `${plainJson(JSON.stringify(document, null, 2))}\n`;

function textOf(published: PublishedConfigurationAnswer, isTerminal: boolean): string {
  const text = published.text ?? yamlOf(published);
  return isTerminal ? plainLines(text.endsWith('\n') ? text : `${text}\n`) : text;
}

/** Writes a version as YAML if its text was not stored. */
const yamlOf = ({ version, publishedAt, document }: PublishedConfigurationAnswer): string =>
  `# version ${version}, published ${plainText(publishedAt)}\n${formatDocument(document)}`;

export async function history(options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const versions = await service.ask((client, settings) => client.GET('/admin/v1/configurations', settings));
  await printAnswer(context, options, versions, () => table(HEADER, versions.map(rowOf)));
}

const HEADER = ['version', 'published', 'metrics', 'streak', 'achievements', 'points systems', 'leaderboards', ''];

const rowOf = (one: ConfigurationVersionAnswer): string[] => [
  String(one.version),
  one.publishedAt,
  String(one.metrics),
  one.streak ? 'yes' : 'no',
  String(one.achievements),
  String(one.pointsSystems),
  String(one.leaderboards),
  one.current ? 'in force' : '',
];
