import type { TimelineEvent } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';
import { pages } from '../users/pages.ts';
import { correctedWord } from '../why/corrected-lines.ts';

export interface UserEventsOptions extends ServiceOptions {
  readonly limit: number;
  readonly json?: true;
}

export async function listUserEvents(
  id: string,
  { limit, ...options }: UserEventsOptions,
  context: CommandContext,
): Promise<void> {
  const service = await connectService(options, context);
  const shown: TimelineEvent[] = [];
  for await (const events of eventsOf(service, id, limit)) {
    if (options.json) await print(context.stdout, events.map(jsonLine).join(''));
    else shown.push(...events);
  }
  if (!options.json) await printLines(context.stdout, eventLines(shown));
}

/** The newest `limit` events of a user, a page at a time. */
export const eventsOf = (
  service: ServiceConnection,
  id: string,
  limit: number,
): AsyncGenerator<readonly TimelineEvent[]> =>
  pages(limit, async (query) => {
    const { events, next } = (await service.ask((client, settings) =>
      client.GET('/admin/v1/users/{id}/events', { params: { path: { id }, query }, ...settings }),
    )) as { events: TimelineEvent[]; next: string | null };
    return { rows: events, next };
  });

/** A line for each event. */
export const eventLines = (events: readonly TimelineEvent[]): string[] =>
  events.length === 0 ? ['nothing has happened'] : table(HEADER, events.map(rowOf));

const HEADER = ['at', 'event', 'effects', 'id'];

const rowOf = (event: TimelineEvent): string[] => {
  const { users, streaks, achievements, points } = event.effects;
  // A cell that is too long is cut: totals, which the event itself tells, come last.
  const effects = [...achievements, ...points, ...streaks, ...users].map(({ words }) => words);
  return [event.occurredAt, contentOf(event), effects.join('; '), event.id];
};

/** What the event is, whether it was corrected, and for what is done by hand by whom and why. */
function contentOf({ words, imported, corrected, by, reason }: TimelineEvent): string {
  const word = correctedWord(corrected);
  const author = by === undefined ? '' : ` by ${by ?? 'somebody'}${reason ? ` (${reason})` : ''}`;
  return `${words}${imported ? ', imported' : ''}${word === undefined ? '' : `, ${word}`}${author}`;
}
