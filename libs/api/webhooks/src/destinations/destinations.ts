import { isIP, type BlockList } from 'node:net';
import { blockListOf, judgeAddress, type AddressKind } from './address-kinds.ts';

export const LONGEST_URL = 2_000;

/** Why an address is refused. */
export type DestinationFault =
  'not_a_url' | 'too_long' | 'not_http' | 'credentials' | 'not_https' | 'unresolved' | Exclude<AddressKind, 'public'>;

/** Thrown instead of connecting. The message says why, and names the address. */
export class DestinationRefusedError extends Error {
  readonly fault: DestinationFault;

  constructor(fault: DestinationFault, message: string) {
    super(message);
    this.name = 'DestinationRefusedError';
    this.fault = fault;
  }
}

/** Kinds that an operator may allow; connections to others are never made. */
const ALLOWABLE: ReadonlySet<AddressKind> = new Set(['loopback', 'private']);

const WORDS: Readonly<Record<Exclude<AddressKind, 'public'>, string>> = {
  loopback: 'is this machine',
  private: 'is in a private network',
  unspecified: 'is unspecified',
  link_local: 'is link-local',
  metadata: 'hands out the credentials of a cloud',
  multicast: 'is multicast',
  reserved: 'is reserved',
};

/**
 * Where webhooks may be sent (specification, section 12): to public addresses, over https. Private and loopback addresses, and http,
 * need an entry of LAUREL_WEBHOOK_ALLOW: an address, a range `10.0.0.0/8`, or a host's name.
 */
export class Destinations {
  readonly #names: ReadonlySet<string>;
  readonly #ranges: BlockList;

  /** @param allow the value of LAUREL_WEBHOOK_ALLOW */
  constructor(allow: readonly string[]) {
    const isRange = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
    this.#ranges = blockListOf(allow.filter(isRange));
    this.#names = new Set(allow.filter((entry) => !isRange(entry)).map(nameOf));
  }

  /** The URL of an endpoint if it is allowed; the name is not resolved. @throws DestinationRefusedError */
  checkUrl(text: string): URL {
    if (text.length > LONGEST_URL)
      throw new DestinationRefusedError('too_long', `must have at most ${LONGEST_URL} characters`);
    if (!URL.canParse(text)) throw new DestinationRefusedError('not_a_url', 'must be a URL');
    const url = new URL(text);
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new DestinationRefusedError('not_http', 'must begin with https://');
    if (url.username !== '' || url.password !== '')
      throw new DestinationRefusedError('credentials', 'must have no user name and no password');
    this.checkHost(url.hostname, url.protocol);
    return url;
  }

  /** Checks a host before its name is resolved. @throws DestinationRefusedError */
  checkHost(hostname: string, protocol: string): void {
    const host = unbracketed(hostname);
    if (isIP(host) !== 0) this.#checkAddress(host, host, protocol);
    else if (protocol !== 'https:' && !this.#names.has(nameOf(host)))
      throw new DestinationRefusedError('not_https', 'must begin with https://, or be in LAUREL_WEBHOOK_ALLOW');
  }

  /** Checks all addresses of a name. One refused address refuses the name. @throws DestinationRefusedError */
  checkAddresses(hostname: string, addresses: readonly string[]): void {
    if (addresses.length === 0) throw new DestinationRefusedError('unresolved', `${hostname} resolves to no address`);
    for (const address of addresses) this.#checkAddress(hostname, address, 'https:');
  }

  #checkAddress(host: string, address: string, protocol: string): void {
    const isNamed = this.#names.has(nameOf(host));
    for (const judged of judgeAddress(address)) {
      const { kind } = judged;
      const isAllowed = isNamed || this.#ranges.check(judged.address, isIP(judged.address) === 6 ? 'ipv6' : 'ipv4');
      if (kind !== 'public' && !(isAllowed && ALLOWABLE.has(kind))) {
        const remedy = ALLOWABLE.has(kind) ? ': it must be in LAUREL_WEBHOOK_ALLOW' : '';
        const place = host === judged.address ? host : `${host} (${judged.address})`;
        throw new DestinationRefusedError(kind, `leads to ${place}, which ${WORDS[kind]}${remedy}`);
      }
      if (protocol !== 'https:' && !isAllowed)
        throw new DestinationRefusedError('not_https', 'must begin with https://, or be in LAUREL_WEBHOOK_ALLOW');
    }
  }
}

const unbracketed = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '');
