import type { Erasure } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED, type ServiceConnection } from '../service/service-connection.ts';
import { noSuchUser } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';
import { isConfirmed, STDIN, type Answerer } from '../terminal/terminal-question.ts';

export interface EraseOptions extends AnswerOptions {
  readonly boards: Erasure['boards'];
  readonly reason: string;
  readonly preview?: string;
  readonly yes?: true;
}

/**
 * Sets exit code 1 if the answer is no. @throws CommandError with exit code 2 if there is no such user, or no terminal
 * for the question
 */
export async function eraseUser(
  id: string,
  options: EraseOptions,
  context: CommandContext,
  answerer: Answerer = STDIN,
): Promise<void> {
  const { boards, reason } = options;
  const service = await connectService(options, context);
  const previewId = options.preview ?? (await confirmedPreview(service, { id, options, context, answerer }));
  if (previewId === null) {
    await printLines(context.stderr, ['nothing was erased']);
    context.setExitCode(1);
    return;
  }
  const erased = await ask(service, id, { previewId, boards, reason });
  await printAnswer(context, options, erased, certificateLines);
}

interface Asked {
  readonly id: string;
  readonly options: EraseOptions;
  readonly context: CommandContext;
  readonly answerer: Answerer;
}

/** Shows the preview of the erasure. @returns the id of the preview; null if the answer is no */
async function confirmedPreview(
  service: ServiceConnection,
  { id, options: { boards, yes }, context, answerer }: Asked,
): Promise<string | null> {
  const preview = await ask(service, id, { preview: 'true', boards });
  await printLines(context.stderr, previewLines(preview));
  const { previewId } = preview;
  if (yes) return previewId;
  if (!answerer.isTerminal)
    throw new CommandError(
      2,
      `nothing was erased: there is no terminal to ask on; give --yes, or --preview ${plainText(previewId)}`,
    );
  return (await isConfirmed(`Erase ${plainText(id)} for good?`, answerer, context)) ? previewId : null;
}

type Query = Pick<Erasure, 'boards'> &
  ({ readonly preview: 'true' } | { readonly previewId: string; readonly reason: string });

/** Does not repeat a request that may have been carried out: the second answer would be that there is no such user. */
function ask(service: ServiceConnection, id: string, query: Query): Promise<Erasure> {
  const params = { path: { id }, query };
  return service
    .ask((client, settings) => client.DELETE('/admin/v1/users/{id}', { params, ...settings }), {
      retryOn: RATE_LIMITED,
    })
    .catch(noSuchUser(id));
}

const previewLines = (preview: Erasure): string[] => [
  `what erasing ${plainText(preview.userId)} would change; boards: ${plainText(preview.boards)}; preview ${plainText(preview.previewId)}`,
  ...placeLines(preview),
];

const certificateLines = (erased: Erasure): string[] => [
  `erased ${plainText(erased.userId)} at ${plainText(erased.at ?? '')}, event ${plainText(erased.eventId ?? '')}; boards: ${plainText(erased.boards)}`,
  ...placeLines(erased),
];

const placeLines = ({ places }: Erasure): string[] =>
  table(
    ['place', 'rows', 'becomes'],
    places.map(({ place, rows, becomes }) => [place, String(rows), becomes]),
  );
