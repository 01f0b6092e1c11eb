import { formatDocument } from '@laurel/configuration';
import type { PublishedConfigurationAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { plainLines } from '../terminal/plain-lines.ts';
import { print } from '../terminal/print.ts';
import { ConfigService } from './config-service.ts';

export interface ShowOptions extends ServiceOptions {
  readonly json?: true;
}

export async function show(version: string, options: ShowOptions, context: CommandContext): Promise<void> {
  const service = await ConfigService.connect(options, context);
  const published = await service.version(version);
  await print(context.stdout, options.json ? jsonOf(published) : textOf(published, context.stdout.isTTY === true));
}

const jsonOf = ({ document }: PublishedConfigurationAnswer): string =>
  `${plainJson(JSON.stringify(document, null, 2))}\n`;

function textOf(published: PublishedConfigurationAnswer, isTerminal: boolean): string {
  const text = published.text ?? yamlOf(published);
  return isTerminal ? plainLines(text.endsWith('\n') ? text : `${text}\n`) : text;
}

/** For a version of which no text is kept. */
const yamlOf = ({ version, publishedAt, document }: PublishedConfigurationAnswer): string =>
  `# version ${version}, published ${plainText(publishedAt)}\n${formatDocument(document)}`;
