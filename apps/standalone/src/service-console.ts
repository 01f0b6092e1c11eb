import type { Keys } from '@laurel/administration';
import { type ConsolePorts, openConsole } from '@laurel/console-server';
import type { Clock } from '@laurel/ports';
import { liveEvent } from '@laurel/queries';
import { hashApiKey } from '@laurel/runtime';
import { SCOPES } from '@laurel/schemas';
import type { Service } from './start-service.ts';

export interface ServiceConsole {
  readonly service: Service;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly publicUrl: string | null;
  /** Called for each failed read of the live feed. */
  readonly onFailure: (error: unknown) => void;
}

export const openServiceConsole = ({ service, keys, clock, publicUrl, onFailure }: ServiceConsole): ConsolePorts =>
  openConsole({
    dataSource: service.dataSource,
    sql: service.bounded.lookUps,
    keys: keys.known,
    clock,
    publicUrl,
    live: {
      reads: service.live,
      directory: service.bounded.directory,
      answer: liveEvent(service.configuration),
      onFailure,
    },
  });

/**
 * The URL of the console. For a new first key, it contains a token that signs in once; the session ends with that key.
 * @param firstKey null if no key was created
 * @param url that of the service on this machine
 */
export async function consolePage(
  { sessions, publicUrl }: ConsolePorts,
  { known }: Pick<Keys, 'known'>,
  firstKey: string | null,
  url: string,
): Promise<string> {
  // Without TLS, browsers can sign in only on this machine, by a name that they recognize as this machine.
  const { port } = new URL(url);
  const home = `${publicUrl ?? `http://localhost${port === '' ? '' : `:${port}`}`}/console`;
  if (firstKey === null) return home;
  const hash = hashApiKey(firstKey);
  const principal = await known.find(hash);
  if (typeof principal === 'string') return home;
  const link = await sessions.link(principal, SCOPES, { kind: 'key', hash });
  return link === null ? home : `${home}/first-event#token=${link.token}`;
}
