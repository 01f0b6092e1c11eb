import { lookup as resolveName, type LookupAddress, type LookupOptions } from 'node:dns';
import { buildConnector } from 'undici';
import type { Destinations } from './destinations.ts';

/** Resolves all addresses of a name by the system's resolver. */
export type Resolve = (
  hostname: string,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

const byTheMachine: Resolve = (hostname, callback) => resolveName(hostname, { all: true }, callback);

/**
 * Opens connections for undici, to checked addresses only. A name is resolved once, and the checked addresses are used
 * for the connection, so a name that changes in between leads nowhere else.
 */
export function checkedConnector(
  destinations: Destinations,
  timeoutMs: number,
  resolve: Resolve = byTheMachine,
): buildConnector.connector {
  const lookup = (hostname: string, options: LookupOptions, found: Found): void =>
    resolve(hostname, (error, addresses) => {
      if (error) return found(error, []);
      try {
        destinations.checkAddresses(
          hostname,
          addresses.map(({ address }) => address),
        );
      } catch (refusal) {
        return found(refusal as Error, []);
      }
      const [first] = addresses;
      if (options.all || first === undefined) found(null, [...addresses]);
      else found(null, first.address, first.family);
    });
  const connect = buildConnector({ timeout: timeoutMs, lookup: lookup as never });
  return (options, callback) => {
    try {
      destinations.checkHost(options.hostname, options.protocol);
    } catch (refusal) {
      return callback(refusal as Error, null);
    }
    connect(options, callback);
  };
}
