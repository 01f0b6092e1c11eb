import type { UserExport } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError, InterruptedError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';

type Recorded = UserExport['events'][number];

/** An event with its corrections applied. */
interface Counting extends Recorded {
  readonly value: string;
}

/** A correction of one event, as the log has it. */
interface EventCorrection {
  readonly eventId: string;
  readonly retract?: true;
  readonly value?: string;
  readonly occurredAt?: string;
  readonly tz?: string;
}

/**
 * Writes a user's metric events, with their corrections applied, as lines that `laurel import` can record for another
 * user. Lists all other recorded events on the standard error.
 *
 * @throws CommandError with exit code 2 if the export is refused or breaks off
 */
export async function eventsAsImport(
  id: string,
  other: string,
  options: ServiceOptions,
  context: CommandContext,
): Promise<void> {
  if (id === other) throw new CommandError(2, '--as-import names the same user');
  const service = await connectService(options, context);
  const chunks: string[] = [];
  const stream = service.read((client, settings) =>
    client.GET('/admin/v1/users/{id}/export', { params: { path: { id } }, parseAs: 'stream', ...settings }),
  );
  for await (const chunk of stream) {
    if (context.interrupted.aborted) throw new InterruptedError();
    chunks.push(chunk);
  }
  const { events } = JSON.parse(chunks.join('')) as UserExport;
  const counting = eventsThatCount(events);
  const lines = counting.filter(({ type }) => type === 'MetricEventRecorded').map((event) => importLine(event, other));
  await print(context.stdout, plainJson(lines.join('')));
  await printLines(context.stderr, [
    `${lines.length} ${lines.length === 1 ? 'event' : 'events'} written. Not carried over: the profile, grants, completions by call, spends and refunds.`,
    ...counting.flatMap(notCarriedOver),
  ]);
}

/** Removes retracted events, and gives amended ones their corrected values and order. */
function eventsThatCount(events: readonly Recorded[]): readonly Counting[] {
  const changes = changesOf(events);
  const counting: Counting[] = [];
  for (const event of events) {
    const { retract, value = String(event.details['value']), occurredAt, tz } = changes.get(event.id) ?? {};
    if (retract) continue;
    const details = tz === undefined ? event.details : { ...event.details, tz };
    const timestamp = occurredAt ?? event.timestamp;
    const changed = { ...event, details, value, timestamp };
    const later = occurredAt === undefined ? -1 : counting.findIndex((one) => isLater(one, timestamp));
    counting.splice(later < 0 ? counting.length : later, 0, changed);
  }
  return counting;
}

const isLater = (event: Counting, instant: string): boolean => Date.parse(event.timestamp) > Date.parse(instant);

/** The changes by event id. Later corrections win over earlier ones; a retracted correction does not count. */
function changesOf(events: readonly Recorded[]): ReadonlyMap<string, Omit<EventCorrection, 'eventId'>> {
  const retracted = new Set<string>();
  const effective = events
    .filter(({ type }) => type === 'CorrectionRecorded')
    .toReversed()
    .filter((correction) => {
      if (retracted.has(correction.id)) return false;
      for (const { eventId, retract } of correctionsIn(correction)) if (retract) retracted.add(eventId);
      return true;
    });
  const changes = new Map<string, Omit<EventCorrection, 'eventId'>>();
  for (const correction of effective.toReversed())
    for (const { eventId, ...change } of correctionsIn(correction))
      changes.set(eventId, { ...changes.get(eventId), ...change });
  return changes;
}

const correctionsIn = ({ details }: Recorded): readonly EventCorrection[] =>
  details['corrections'] as readonly EventCorrection[];

/** Writes the value with the digits of the log. */
function importLine({ id, timestamp, value, details }: Counting, other: string): string {
  const { metric, tz, attributes } = details;
  const user = { id: other, ...(tz !== undefined && { tz }) };
  const rest = { user, timestamp, idempotencyKey: id, ...(attributes !== undefined && { attributes }) };
  return `{"metric":${JSON.stringify(metric)},"value":${value},${JSON.stringify(rest).slice(1)}\n`;
}

function notCarriedOver({ id, type, timestamp, details }: Counting): readonly string[] {
  switch (type) {
    case 'GrantRecorded':
      return [`grant ${plainText(Object.values(details['grant'] as object).join(' '))} of ${timestamp} (event ${id})`];
    case 'AchievementCompletedByCall':
      return [`completion of ${plainText(String(details['achievement']))} of ${timestamp} (event ${id})`];
    case 'SpendRequested':
    case 'RefundRequested':
      return [
        `${type === 'SpendRequested' ? 'spend' : 'refund'} of ${plainText(String(details['system']))} of ${timestamp} (event ${id})`,
      ];
    default:
      return [];
  }
}
