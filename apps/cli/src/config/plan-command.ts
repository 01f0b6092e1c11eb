import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { PlanOptions } from './plan.ts';

export const planCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('plan')
        .description('Shows what publishing a configuration file would change, and what that means. Changes nothing.')
        .argument('<file>', 'a YAML or JSON file'),
    )
      .option('--json', 'the answer of POST /admin/v1/configurations/plan as it is (default: for people)')
      .action(async (file: string, options: PlanOptions) => (await import('./plan.ts')).plan(file, options, context)),
    { examples: ['config plan laurel.yaml', 'config plan laurel.yaml --json'], no: 'the file has problems' },
  );
