import { BlockList, isIP } from 'node:net';

/** The kind of an address. Only `public` ones are reachable by everybody. */
export type AddressKind =
  'public' | 'loopback' | 'private' | 'unspecified' | 'link_local' | 'metadata' | 'multicast' | 'reserved';

/** An address, and the kind by which it or an IPv4 address inside it is judged. */
export interface JudgedAddress {
  readonly address: string;
  readonly kind: AddressKind;
}

const RANGES: readonly (readonly [AddressKind, readonly string[]])[] = [
  // Addresses at which clouds provide credentials.
  ['metadata', ['169.254.169.254/32', '169.254.170.2/32', '100.100.100.200/32', '192.0.0.192/32', '168.63.129.16/32']],
  ['metadata', ['fd00:ec2::/32', 'fd20:ce::254/128']],
  ['unspecified', ['0.0.0.0/8', '::/128']],
  ['link_local', ['169.254.0.0/16', 'fe80::/10']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  // RFC 8215 does not define where an address with this prefix contains the IPv4 address.
  ['reserved', ['240.0.0.0/4', '64:ff9b:1::/48']],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '192.0.0.0/24', '198.18.0.0/15']],
  ['private', ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32']],
];

const KINDS = RANGES.map(([kind, ranges]) => [kind, blockListOf(ranges)] as const);

/** All assigned global IPv6 addresses are in here. */
const GLOBAL_V6 = blockListOf(['2000::/3']);

/**
 * The kinds of an address from `dns.lookup`. An address that contains IPv4 addresses (mapped, compatible, translated,
 * NAT64, 6to4, Teredo, ISATAP) is judged as each of them, because it leads there.
 *
 * @returns at least one
 */
export function judgeAddress(address: string): readonly JudgedAddress[] {
  const family = isIP(address);
  if (family === 4) return [{ address, kind: kindOf(address, 'ipv4') }];
  const bytes = family === 6 ? bytesOf(address) : null;
  // Only addresses that are valid on one link need a zone (`fe80::1%eth0`).
  if (bytes === null) return [{ address, kind: 'reserved' }];
  const inside = addressesInside(bytes);
  if (inside.length > 0) return inside.map((v4) => ({ address: v4, kind: kindOf(v4, 'ipv4') }));
  const kind = kindOf(address, 'ipv6');
  return [{ address, kind: kind === 'public' && !GLOBAL_V6.check(address, 'ipv6') ? 'private' : kind }];
}

/** A list of addresses and ranges `address/prefix`. @throws Error if an entry is neither */
export function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return list;
}

const kindOf = (address: string, family: 'ipv4' | 'ipv6'): AddressKind =>
  KINDS.find(([, list]) => list.check(address, family))?.[0] ?? 'public';

function addressesInside(bytes: Uint8Array): readonly string[] {
  const startsWith = (...prefix: readonly number[]) => prefix.every((byte, index) => bytes[index] === byte);
  const zeros = (count: number) => new Array<number>(count).fill(0);
  const v4 = (at: number, mask = 0) => [...bytes.subarray(at, at + 4)].map((byte) => byte ^ mask).join('.');
  if (startsWith(0x20, 0x02)) return [v4(2)];
  if (startsWith(0x20, 0x01, 0, 0)) return [v4(4), v4(12, 0xff)];
  if (startsWith(0x00, 0x64, 0xff, 0x9b, ...zeros(8))) return [v4(12)];
  if (startsWith(...zeros(10), 0xff, 0xff) || startsWith(...zeros(8), 0xff, 0xff, 0, 0)) return [v4(12)];
  const isatap = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  if (isatap) return [v4(12)];
  const short = startsWith(...zeros(15)) && (bytes[15] ?? 0) <= 1;
  return startsWith(...zeros(12)) && !short ? [v4(12)] : [];
}

/** The sixteen bytes of an IPv6 address, or null if it has a zone. */
function bytesOf(address: string): Uint8Array | null {
  const text = `http://[${address}]`;
  if (!URL.canParse(text)) return null;
  const [head = '', tail] = new URL(text).hostname.slice(1, -1).split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [front, back] = [groups(head), groups(tail ?? '')];
  const all = [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
