import type { ServiceStatus } from '@laurel/schemas';
import { InterruptedError } from '../command-error.ts';
import type { CommandContext } from '../command-context.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { statusReport } from './status-report.ts';

export async function showStatus(options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const status = await service.ask((client, settings) => client.GET('/admin/v1/status', settings));
  if (options.json) await print(context.stdout, jsonLine(status));
  else await printLines(context.stdout, statusReport({ ...status, webhooks: await webhooksOf(status, service) }));
  if (!status.ready) context.setExitCode(1);
}

/** In the distributed topology, another process has the webhooks. Empty if it does not answer. */
async function webhooksOf(
  { webhooks, services }: ServiceStatus,
  service: ServiceConnection,
): Promise<NonNullable<ServiceStatus['webhooks']>> {
  if (webhooks !== undefined || services === undefined) return webhooks ?? [];
  try {
    return await service.ask((client, settings) => client.GET('/admin/v1/webhooks', settings), { retries: 0 });
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return [];
  }
}
