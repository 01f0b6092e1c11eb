import type { TimelineEvent, UserOverview } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';
import { eventLines, eventsOf } from './list-user-events.ts';

const EVENTS_SHOWN = 10;

export interface UserOptions extends ServiceOptions {
  readonly json?: true;
}

export async function showUser(id: string, options: UserOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const user = await service.ask((client, settings) =>
    client.GET('/admin/v1/users/{id}', { params: { path: { id } }, ...settings }),
  );
  if (options.json) return print(context.stdout, jsonLine(user));
  await printLines(context.stdout, [...overviewLines(user), '', ...(await lastEvents(service, id))]);
}

async function lastEvents(service: ServiceConnection, id: string): Promise<string[]> {
  const events: TimelineEvent[] = [];
  for await (const page of eventsOf(service, id, EVENTS_SHOWN)) events.push(...page);
  return eventLines(events);
}

/** A line for each thing that is known of the user. */
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
