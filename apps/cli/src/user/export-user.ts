import type { CommandContext } from '../command-context.ts';
import { InterruptedError } from '../command-error.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';

/** @throws CommandError with exit code 2 if it is refused or breaks off */
export async function exportUser(id: string, options: ServiceOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const pieces = service.read((client, settings) =>
    client.GET('/admin/v1/users/{id}/export', { params: { path: { id } }, parseAs: 'stream', ...settings }),
  );
  for await (const piece of pieces) {
    if (context.interrupted.aborted) throw new InterruptedError();
    await print(context.stdout, plainJson(piece));
  }
}
