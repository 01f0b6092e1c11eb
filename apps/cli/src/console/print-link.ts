import type { ConsoleSession } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';

export interface LinkOptions extends AnswerOptions {
  readonly scope?: ConsoleSession['scopes'];
}

export async function printLink({ scope, json, ...options }: LinkOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const body = scope === undefined ? {} : { scopes: scope };
  const link = await service.ask((client, settings) => client.POST('/admin/v1/console-links', { body, ...settings }));
  if (json) return print(context.stdout, jsonLine(link));
  await printLines(context.stderr, [
    `signs a browser in once, until ${plainText(link.expiresAt)}, for ${plainText(link.scopes.join(', '))}:`,
  ]);
  await print(context.stdout, `${plainText(link.url)}\n`);
}
