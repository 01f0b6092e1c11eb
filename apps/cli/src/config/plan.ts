import type { CommandContext } from '../command-context.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { ConfigService } from './config-service.ts';
import { documentText } from './configuration-file.ts';
import { planReport } from './plan-report.ts';

export interface PlanOptions extends ServiceOptions {
  readonly json?: true;
}

export async function plan(file: string, options: PlanOptions, context: CommandContext): Promise<void> {
  const text = await documentText(file, context);
  const service = await ConfigService.connect(options, context);
  const planned = await service.plan(text);
  if (options.json) await print(context.stdout, jsonLine(planned));
  else await printLines(context.stdout, planReport(planned));
}
