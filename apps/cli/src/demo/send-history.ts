import type { Clock } from '@laurel/ports';
import type { TextStream } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { finishImport, notShownYet } from '../import/finish-import.ts';
import { plainText } from '../plain-text.ts';
import type { ServiceConnection } from '../service/service-connection.ts';
import { showProgress } from '../terminal/progress.ts';
import type { DemoEvent } from './rules/demo-history.ts';

export interface SentCounts {
  readonly recorded: number;
  readonly known: number;
}

const EVENTS_PER_REQUEST = 1_000;
const REQUEST_LIMIT_MS = 5 * 60_000;
const ROUNDS = 30;
const PAUSE_MS = 1_000;

/**
 * Records the events in their order through the import, and closes the import. Events that are already recorded change
 * nothing.
 * @throws CommandError with exit code 2 if the service refuses one.
 */
export async function sendHistory(
  service: ServiceConnection,
  events: readonly DemoEvent[],
  { clock, stderr }: { readonly clock: Clock; readonly stderr: TextStream },
): Promise<SentCounts> {
  const progress = showProgress(stderr, clock);
  const counts = { recorded: 0, known: 0 };
  try {
    for (let sent = 0; sent < events.length; sent += EVENTS_PER_REQUEST) {
      const batch = events.slice(sent, sent + EVENTS_PER_REQUEST);
      const { recorded, known } = await sendBatch(service, batch);
      counts.recorded += recorded;
      counts.known += known;
      progress.update((sent + batch.length) / events.length, `${sent + batch.length} events`);
    }
    const pending = await finishImport(service);
    if (pending.length > 0) stderr.write(notShownYet(pending));
  } finally {
    progress.stop();
  }
  return counts;
}

/** Sends rejected events again before later ones. Each has a key, so that an event in doubt may be sent again, too. */
async function sendBatch(service: ServiceConnection, batch: readonly DemoEvent[]): Promise<SentCounts> {
  let left = batch;
  const counts = { recorded: 0, known: 0 };
  for (let round = 1; ; round++) {
    const body = { events: left.map((event) => ({ ...event })) };
    const { results } = await service.ask(
      (client, settings) => client.POST('/admin/v1/metrics/events', { ...settings, body }),
      { limitMs: REQUEST_LIMIT_MS },
    );
    counts.recorded += results.filter(({ status }) => status === 201).length;
    counts.known += results.filter(({ status }) => status === 202).length;
    const again = results.filter(({ status }) => status === 503);
    const refused = results.find(({ status }) => ![201, 202, 503].includes(status));
    if (refused)
      throw new CommandError(2, `an event was refused (${refused.status}): ${plainText(refused.error ?? '')}`);
    if (again.length === 0) return counts;
    if (round === ROUNDS)
      throw new CommandError(2, 'the service refused events several times with status 503; run the demo again');
    left = again.flatMap(({ index }) => left[index] ?? []);
    await service.pause(PAUSE_MS);
  }
}
