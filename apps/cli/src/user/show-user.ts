import type { UserOverview } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { AnswerOptions, ServiceOptions } from '../service/service-options.ts';
import { printAnswer, printChunks } from '../terminal/print-answer.ts';
import { table } from '../terminal/table.ts';
import { lastEvents } from './list-user-events.ts';

const EVENTS_SHOWN = 10;

export async function showUser(id: string, options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const user = await service.ask((client, settings) =>
    client.GET('/admin/v1/users/{id}', { params: { path: { id } }, ...settings }),
  );
  const events = options.json ? [] : await lastEvents(service, id, EVENTS_SHOWN);
  await printAnswer(context, options, user, () => [...overviewLines(user), '', ...events]);
}

/** @throws CommandError with exit code 2 if it is refused or breaks off */
export async function exportUser(id: string, options: ServiceOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const chunks = service.read((client, settings) =>
    client.GET('/admin/v1/users/{id}/export', { params: { path: { id } }, parseAs: 'stream', ...settings }),
  );
  await printChunks(chunks, context);
}

/** One line for each fact about the user. */
function overviewLines(user: UserOverview): string[] {
  const { metrics, streak, achievements, points, attributes } = user;
  const { freezes } = streak;
  return table(
    ['user', user.id],
    [
      ['name', user.name ?? ''],
      ['e-mail', user.email ?? ''],
      ['zone', user.tz ?? 'UTC'],
      ['created', user.created],
      ['updated', user.updated],
      ...Object.entries(attributes).map(([key, value]) => [`attribute ${key}`, value]),
      ...metrics.map(({ key, total }) => [`total ${key}`, String(total)]),
      ['streak', streak.length === 0 ? 'none' : `${streak.length}, expires ${streak.expires}`],
      ...(freezes === undefined ? [] : [['freezes', String(freezes)]]),
      ...points.map(({ pointsSystem, total, level }) => [
        `points ${pointsSystem}`,
        `${String(total)}${level === null ? '' : `, level ${level}`}`,
      ]),
      ...achievements.map(({ key, achievedAt }) => [`achievement ${key}`, achievedAt]),
    ],
  );
}
