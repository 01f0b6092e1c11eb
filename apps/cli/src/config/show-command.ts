import { formatDocument } from '@laurel/configuration';
import type { PublishedConfigurationAnswer } from '@laurel/contracts';
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { plainText } from '../plain-text.ts';
import { withServiceOptions, type ServiceOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';
import { ConfigService } from './config-service.ts';

interface ShowOptions extends ServiceOptions {
  readonly json?: true;
}

export const showCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('show')
        .description('Prints a published configuration as a file that can be published again.')
        .argument('[version]', 'its number (default: the version in force)'),
    )
      .option('--json', 'the document as JSON, with every default spelled out (default: YAML)')
      .action((version: string | undefined, options: ShowOptions) => show(version ?? 'current', options, context)),
    { examples: ['config show', 'config show 2 > laurel.yaml', 'config show --json > laurel.json'] },
  );

async function show(version: string, options: ShowOptions, context: CommandContext): Promise<void> {
  const service = await ConfigService.connect(options, context);
  const published = await service.version(version);
  await print(context.stdout, options.json ? jsonOf(published) : yamlOf(published));
}

const jsonOf = ({ document }: PublishedConfigurationAnswer): string =>
  `${plainJson(JSON.stringify(document, null, 2))}\n`;

const yamlOf = ({ version, publishedAt, document }: PublishedConfigurationAnswer): string =>
  `# version ${version}, published ${plainText(publishedAt)}\n${formatDocument(document)}`;
