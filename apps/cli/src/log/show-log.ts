import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';

export interface LogOptions extends ServiceOptions {
  readonly json?: true;
}

export async function showHead(options: LogOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const head = await service.ask((client, settings) => client.GET('/admin/v1/log/head', settings));
  await print(context.stdout, options.json ? jsonLine(head) : `${head.size} ${head.root}\n`);
}

export async function showProof(eventId: string, options: LogOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const proof = await service.ask((client, settings) =>
    client.GET('/admin/v1/log/proofs/{eventId}', { params: { path: { eventId } }, ...settings }),
  );
  await print(context.stdout, jsonLine(proof));
}
