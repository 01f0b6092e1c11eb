import type { TimelineEvent } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import { pages, printPages, type ListOptions, type Page, type PageRequest } from '../service/print-pages.ts';
import { table } from '../terminal/table.ts';
import { correctedWord } from '../why/corrected-lines.ts';

export async function listUserEvents(id: string, options: ListOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  await printPages(options, context, { header: HEADER, rowOf, none: NONE, ask: eventsOf(service, id) });
}

/** The newest `limit` events of a user as lines. */
export async function lastEvents(service: ServiceConnection, id: string, limit: number): Promise<string[]> {
  const rows: string[][] = [];
  for await (const events of pages(limit, eventsOf(service, id))) rows.push(...events.map(rowOf));
  return rows.length === 0 ? [NONE] : table(HEADER, rows);
}

const eventsOf =
  (service: ServiceConnection, id: string) =>
  async (query: PageRequest): Promise<Page<TimelineEvent>> => {
    const { events, next } = (await service.ask((client, settings) =>
      client.GET('/admin/v1/users/{id}/events', { params: { path: { id }, query }, ...settings }),
    )) as { events: TimelineEvent[]; next: string | null };
    return { rows: events, next };
  };

const NONE = 'nothing has happened';
const HEADER = ['at', 'event', 'effects', 'id'];

const rowOf = (event: TimelineEvent): string[] => {
  const { users, streaks, achievements, points } = event.effects;
  // A long cell is shortened, so totals come last: the event itself shows them.
  const effects = [...achievements, ...points, ...streaks, ...users].map(({ words }) => words);
  return [event.occurredAt, contentOf(event), effects.join('; '), event.id];
};

/** The event in words, whether it was corrected, for a change by hand its author, and the reason. */
function contentOf({ words, imported, corrected, by, reason }: TimelineEvent): string {
  const word = correctedWord(corrected);
  const author = by === undefined ? '' : ` by ${by ?? 'somebody'}`;
  const why = reason ? ` (${reason})` : '';
  return `${words}${imported ? ', imported' : ''}${word === undefined ? '' : `, ${word}`}${author}${why}`;
}
