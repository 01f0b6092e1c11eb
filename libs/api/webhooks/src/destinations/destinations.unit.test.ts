import { Destinations, DestinationRefusedError, type DestinationFault } from './destinations.ts';

const OPEN = new Destinations([]);
const INSIDE = new Destinations(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8', 'receiver.internal', 'LocalHost']);

function faultOf(check: () => unknown): DestinationFault | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof DestinationRefusedError) return error.fault;
    throw error;
  }
}

describe('the check of webhook destinations', () => {
  it.each<[string, DestinationFault | null, DestinationFault | null]>([
    ['https://example.com/hook?a=1', null, null],
    ['https://93.184.216.34/', null, null],
    ['https://[2606:2800:220:1::1]:8443/', null, null],
    ['example.com', 'not_a_url', 'not_a_url'],
    ['ftp://example.com', 'not_http', 'not_http'],
    ['file:///etc/passwd', 'not_http', 'not_http'],
    ['https://user@example.com', 'credentials', 'credentials'],
    ['https://:secret@example.com', 'credentials', 'credentials'],
    ['http://example.com', 'not_https', 'not_https'],
    ['http://93.184.216.34/', 'not_https', 'not_https'],
    ['http://receiver.internal/hook', 'not_https', null],
    ['http://localhost:3000/', 'not_https', null],
    [`https://example.com/${'a'.repeat(2_000)}`, 'too_long', 'too_long'],
    ['https://127.0.0.1/', 'loopback', null],
    ['http://127.0.0.1/', 'loopback', null],
    ['https://127.0.0.2/', 'loopback', 'loopback'],
    ['https://2130706433/', 'loopback', null],
    ['https://0x7f000001/', 'loopback', null],
    ['https://0177.0.0.1/', 'loopback', null],
    ['https://0x7f.1/', 'loopback', null],
    ['https://127.1/', 'loopback', null],
    ['https://[::1]/', 'loopback', null],
    ['https://[::ffff:127.0.0.1]/', 'loopback', null],
    ['https://[::ffff:7f00:2]/', 'loopback', 'loopback'],
    ['https://[::127.0.0.2]/', 'loopback', 'loopback'],
    ['https://[::ffff:0:127.0.0.2]/', 'loopback', 'loopback'],
    ['https://10.1.2.3/', 'private', null],
    ['https://[64:ff9b::10.1.2.3]/', 'private', null],
    ['https://[64:ff9b::192.168.0.1]/', 'private', 'private'],
    ['https://[2002:c0a8:1::]/', 'private', 'private'],
    ['https://[2001:0:5db8:d822::3f57:fefe]/', 'private', 'private'],
    ['https://[2001:0:c0a8:1::a247:27dd]/', 'private', 'private'],
    ['https://[2001:db9::5efe:192.168.0.1]/', 'private', 'private'],
    ['https://172.31.255.255/', 'private', 'private'],
    ['https://192.168.1.1/', 'private', 'private'],
    ['https://100.64.0.1/', 'private', 'private'],
    ['https://[fd12:3456::1]/', 'private', null],
    ['https://[fc00::1]/', 'private', 'private'],
    ['https://[100::1]/', 'private', 'private'],
    ['https://0.0.0.0/', 'unspecified', 'unspecified'],
    ['https://0/', 'unspecified', 'unspecified'],
    ['https://[::]/', 'unspecified', 'unspecified'],
    ['https://[::ffff:0.0.0.0]/', 'unspecified', 'unspecified'],
    ['https://169.254.1.1/', 'link_local', 'link_local'],
    ['https://[fe80::1]/', 'link_local', 'link_local'],
    ['https://169.254.169.254/latest', 'metadata', 'metadata'],
    ['https://2852039166/', 'metadata', 'metadata'],
    ['https://0251.0376.0251.0376/', 'metadata', 'metadata'],
    ['https://0xa9fea9fe/', 'metadata', 'metadata'],
    ['https://[::ffff:169.254.169.254]/', 'metadata', 'metadata'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'metadata', 'metadata'],
    ['https://[2002:a9fe:a9fe::1]/', 'metadata', 'metadata'],
    ['https://[fd00:ec2::254]/', 'metadata', 'metadata'],
    ['https://100.100.100.200/', 'metadata', 'metadata'],
    ['https://224.0.0.1/', 'multicast', 'multicast'],
    ['https://[ff02::1]/', 'multicast', 'multicast'],
    ['https://255.255.255.255/', 'reserved', 'reserved'],
    ['https://[64:ff9b:1::a00:1]/', 'reserved', 'reserved'],
  ])('gives for %s: %s, and %s when some addresses are permitted', (url, fault, allowed) => {
    expect(faultOf(() => OPEN.checkUrl(url))).toBe(fault);
    expect(faultOf(() => INSIDE.checkUrl(url))).toBe(allowed);
  });

  it.each<[string, readonly string[], DestinationFault | null]>([
    ['example.com', ['93.184.216.34', '2606:2800:220:1::1'], null],
    ['example.com', [], 'unresolved'],
    ['example.com', ['93.184.216.34', '192.168.0.1'], 'private'],
    ['example.com', ['93.184.216.34', '::ffff:169.254.169.254'], 'metadata'],
    ['example.com', ['10.0.0.1'], null],
    ['receiver.internal', ['192.168.0.1', '127.0.0.9'], null],
    ['Receiver.Internal.', ['192.168.0.1'], null],
    ['receiver.internal', ['169.254.169.254'], 'metadata'],
    ['receiver.internal', ['fe80::1%eth0'], 'reserved'],
  ])('gives for %s at %j: %s', (host, addresses, fault) =>
    expect(faultOf(() => INSIDE.checkAddresses(host, addresses))).toBe(fault),
  );

  it('says what to do and which address it concerns', () => {
    const about = (host: string, address: string) => () => OPEN.checkAddresses(host, [address]);
    expect(about('a.example', '192.168.0.1')).toThrow(
      'leads to a.example (192.168.0.1), which is in a private network: it must be in LAUREL_WEBHOOK_ALLOW',
    );
    expect(about('a.example', '::ffff:169.254.0.1')).toThrow('leads to a.example (169.254.0.1), which is link-local');
  });
});
