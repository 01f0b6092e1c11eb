import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { print } from '../terminal/print.ts';

export async function showHead(options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const head = await service.ask((client, settings) => client.GET('/admin/v1/log/head', settings));
  await printAnswer(context, options, head, ({ size, root }) => [`${size} ${root}`]);
}

export async function showProof(eventId: string, options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const proof = await service.ask((client, settings) =>
    client.GET('/admin/v1/log/proofs/{eventId}', { params: { path: { eventId } }, ...settings }),
  );
  await print(context.stdout, jsonLine(proof));
}
