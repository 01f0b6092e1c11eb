import type { ServiceConnection } from '../service/service-connection.ts';

const RETRIES = 30;
const PAUSE_MS = 500;
/** The same limit as for a batch, longer than a service delays an answer. */
const LIMIT_MS = 5 * 60_000;
/** Each call itself waits for up to the time of an answer. */
const ROUNDS = 60;

/**
 * Ends the import, and waits until reads show all of it: a service of several processes records faster than it applies.
 * @returns the areas that do not show it yet; empty if all do.
 * @throws CommandError with exit code 2 if the service refuses or cannot be reached.
 */
export async function finishImport(service: ServiceConnection, reason?: string): Promise<readonly string[]> {
  for (let round = 1; ; round++) {
    const { pending = [] } = await service.ask(
      (client, settings) =>
        client.POST('/admin/v1/imports/finish', { ...(reason !== undefined && { body: { reason } }), ...settings }),
      { retries: RETRIES, limitMs: LIMIT_MS },
    );
    if (pending.length === 0 || round === ROUNDS) return pending;
    await service.pause(PAUSE_MS);
  }
}

/** The message if reads do not show the whole import yet. */
export const notShownYet = (pending: readonly string[]): string =>
  `recorded, but ${pending.join(', ')} do not show all of it yet: \`laurel status\` tells how far they are\n`;
