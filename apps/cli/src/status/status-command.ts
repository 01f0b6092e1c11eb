import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { connectService } from '../service/service-connection.ts';
import { withServiceOptions, type ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { statusReport } from './status-report.ts';

interface StatusOptions extends ServiceOptions {
  readonly json?: true;
}

export const statusCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('status').description('Shows whether the service is ready, and if not, why and what to do.'),
    )
      .option('--json', 'the answer of GET /admin/v1/status as it is (default: for people)')
      .action((options: StatusOptions) => showStatus(options, context)),
    {
      examples: ['status', 'status --json', 'status --url https://laurel.example.org'],
      no: 'the service runs and is not ready',
    },
  );

async function showStatus(options: StatusOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const status = await service.ask((client, settings) => client.GET('/admin/v1/status', settings));
  if (options.json) await print(context.stdout, jsonLine(status));
  else await printLines(context.stdout, statusReport(status));
  if (!status.ready) context.setExitCode(1);
}
