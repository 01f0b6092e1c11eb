import type { ExplainedEventAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { correctedLines } from './corrected-lines.ts';

export interface EventOptions extends AnswerOptions {
  /** The `next` of the previous page. */
  readonly cursor?: string;
}

export async function showEvent(eventId: string, options: EventOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const params = { path: { eventId }, query: { ...(options.cursor !== undefined && { cursor: options.cursor }) } };
  const event = (await service.ask((client, settings) =>
    client.GET('/admin/v1/events/{eventId}', { params, ...settings }),
  )) as ExplainedEventAnswer;
  await printAnswer(context, options, event, linesOf);
}

function linesOf({
  id,
  words,
  at,
  recordedAt,
  position,
  version,
  userId,
  reason,
  corrected,
  users,
  caused,
  next,
}: ExplainedEventAnswer) {
  const lines = caused.flatMap((one) =>
    one.effects.map((effect) => `${ofUser(one.userId, userId)}${plainText(effect.words)}`),
  );
  return [
    `${plainText(words)}, at ${at}, recorded ${recordedAt}, position ${position}, version ${version}`,
    ...(userId === null ? [] : [`user ${plainText(userId)}`]),
    ...(reason ? [`reason: ${plainText(reason)}`] : []),
    ...correctedLines(corrected),
    ...(users > caused.length ? [`${users} users, of whom ${caused.length} are shown`] : []),
    ...(lines.length === 0 ? ['it caused nothing'] : lines),
    ...caused.flatMap((one) => leftOut(id, one)),
    ...(next === null ? [] : [`there are more users: --cursor ${plainText(next)}`]),
  ];
}

/** The number of a user's effects that are left out, and the command that shows them. */
function leftOut(id: string, { userId, pointsLeftOut, runsLeftOut }: ExplainedEventAnswer['caused'][number]): string[] {
  const user = plainText(userId ?? 'erased');
  return [
    ...(pointsLeftOut === 0
      ? []
      : [
          `of ${user} ${pointsLeftOut} earlier effects on points are left out: laurel why ${user} points KEY --event ${id}`,
        ]),
    ...(runsLeftOut === 0
      ? []
      : [`of ${user} the ranks in ${runsLeftOut} runs are left out: laurel why ${user} board KEY --run DATE`]),
  ];
}

/** The user of an effect, if the event does not name the user. */
const ofUser = (id: string | null, userId: string | null): string =>
  id === userId && id !== null ? '' : `${plainText(id ?? 'an erased user')}: `;
