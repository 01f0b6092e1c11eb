import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { statusReport } from './status-report.ts';

export interface StatusOptions extends ServiceOptions {
  readonly json?: true;
}

export async function showStatus(options: StatusOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const status = await service.ask((client, settings) => client.GET('/admin/v1/status', settings));
  if (options.json) await print(context.stdout, jsonLine(status));
  else await printLines(context.stdout, statusReport(status));
  if (!status.ready) context.setExitCode(1);
}
