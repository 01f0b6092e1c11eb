import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions, type ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { ConfigService } from './config-service.ts';
import { documentIn } from './configuration-file.ts';
import { planReport } from './plan-report.ts';

interface PlanOptions extends ServiceOptions {
  readonly json?: true;
}

export const planCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('plan')
        .description('Shows what publishing a configuration file would change, and what that means. Changes nothing.')
        .argument('<file>', 'a YAML or JSON file'),
    )
      .option('--json', 'the answer of POST /admin/v1/configurations/plan as it is (default: for people)')
      .action((file: string, options: PlanOptions) => plan(file, options, context)),
    { examples: ['config plan laurel.yaml', 'config plan laurel.yaml --json'], no: 'the file has problems' },
  );

async function plan(file: string, options: PlanOptions, context: CommandContext): Promise<void> {
  const document = await documentIn(file);
  const service = await ConfigService.connect(options, context);
  const planned = await service.plan(document);
  if (options.json) await print(context.stdout, jsonLine(planned));
  else await printLines(context.stdout, planReport(planned));
}
