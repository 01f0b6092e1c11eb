import type { FastifyRequest } from 'fastify';

/**
 * The kind of connection of a browser. `open` means plain HTTP from another machine, where others could read a cookie.
 *
 * @param publicUrl the address for browsers that the operator set, or null if there is none
 */
export function browserConnection(
  { headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>,
  publicUrl: string | null,
): 'encrypted' | 'this machine' | 'open' {
  if (publicUrl !== null && new URL(publicUrl).protocol === 'https:') {
    const hops = [headers['x-forwarded-proto'] ?? []].flat().flatMap((value) => value.split(','));
    if (hops.length > 0) return hops.every((hop) => hop.trim() === 'https') ? 'encrypted' : 'open';
    // A proxy that does not report the protocol passes on the host that the browser requested.
    if (headers.host === new URL(publicUrl).host) return 'encrypted';
  }
  const forwarded = FORWARDING.some((name) => headers[name] !== undefined);
  const near = LOOPBACK_ADDRESS.test(raw.socket.remoteAddress ?? '') && LOOPBACK_HOST.test(headers.host ?? '');
  return near && !forwarded ? 'this machine' : 'open';
}

/** Headers added by proxies. The caller of a proxy on this machine may be anywhere. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'via'];
const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;
