import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import { refusedAs } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';

export async function endSession(id: string, options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const params = { path: { id } };
  const session = await service
    .ask((client, settings) => client.DELETE('/admin/v1/console-sessions/{id}', { params, ...settings }))
    .catch(refusedAs('unknown_session', `there is no session ${plainText(id)}: console sessions list shows them`));
  await printAnswer(context, options, session, (ended) => [
    `ended the session ${plainText(ended.id)} of ${plainText(ended.by ?? '')}`,
  ]);
}
