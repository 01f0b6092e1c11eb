import type { ExplainedEventAnswer } from '@laurel/contracts';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';
import { correctedLines } from './corrected-lines.ts';

export interface EventOptions extends ServiceOptions {
  /** That of the page before. */
  readonly cursor?: string;
  readonly json?: true;
}

export async function showEvent(eventId: string, options: EventOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const params = { path: { eventId }, query: { ...(options.cursor !== undefined && { cursor: options.cursor }) } };
  const event = (await service.ask((client, settings) =>
    client.GET('/admin/v1/events/{eventId}', { params, ...settings }),
  )) as ExplainedEventAnswer;
  if (options.json) return print(context.stdout, jsonLine(event));
  await printLines(context.stdout, linesOf(event));
}

function linesOf({
  id,
  type,
  at,
  recordedAt,
  position,
  version,
  userId,
  metric,
  value,
  corrected,
  users,
  caused,
  next,
}: ExplainedEventAnswer) {
  const rows = caused.flatMap((one) =>
    one.effects.map(({ type: what, ...rest }) => [one.userId ?? 'erased', what, detailsOf(rest)]),
  );
  return [
    `${type} at ${at}, recorded ${recordedAt}, position ${position}, version ${version}`,
    ...(userId === null ? [] : [`user ${plainText(userId)}`]),
    ...(metric === null ? [] : [`${plainText(metric)} ${String(value)}`]),
    ...correctedLines(corrected),
    ...(users > caused.length ? [`${users} users, of whom ${caused.length} are shown`] : []),
    ...(rows.length === 0 ? ['it caused nothing'] : table(['user', 'effect', ''], rows)),
    ...caused.flatMap((one) => leftOut(id, one)),
    ...(next === null ? [] : [`there are more users: --cursor ${plainText(next)}`]),
  ];
}

/** What is not shown of a user, and where it is. */
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

const detailsOf = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
