/** A peer's reply; `payload` is a text of the exact codec. */
export type Reply =
  | { readonly kind: 'answer'; readonly payload: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'refused' };

/** The most characters of a request and of an answer: a thousand events with their results take about four million. */
export const LONGEST_REQUEST = 4 * 1024 * 1024;
export const LONGEST_ANSWER = 64 * 1024 * 1024;

/** The longest frame of a payload, with its envelope and with escapes, which at most double it. */
export const longestFrame = (payload: number): number => 2 * payload + 4_096;

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** `host:port`, an IPv6 host in brackets. @throws RangeError for anything else */
export function endpointOf(address: string): Endpoint {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, Math.max(0, colon)).replace(/^\[(.*)\]$/, '$1');
  const port = Number(address.slice(colon + 1));
  if (host === '' || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw new RangeError(`not an address of the form host:port: ${JSON.stringify(address)}`);
  return { host, port };
}

export const addressOf = ({ host, port }: Endpoint): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
