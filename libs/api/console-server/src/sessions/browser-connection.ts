import type { FastifyRequest } from 'fastify';

/**
 * How a browser reaches this service. `open`: over plain HTTP from elsewhere, where others could read a cookie.
 *
 * @param publicUrl where browsers reach this service, as the operator says; null: they did not
 */
export function browserConnection(
  { headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>,
  publicUrl: string | null,
): 'encrypted' | 'this machine' | 'open' {
  if (publicUrl !== null && new URL(publicUrl).protocol === 'https:') {
    const hops = [headers['x-forwarded-proto'] ?? []].flat().flatMap((value) => value.split(','));
    if (hops.length > 0) return hops.every((hop) => hop.trim() === 'https') ? 'encrypted' : 'open';
    // A proxy that says nothing of the protocol passes the host on that the browser asked for.
    if (headers.host === new URL(publicUrl).host) return 'encrypted';
  }
  const forwarded = FORWARDING.some((name) => headers[name] !== undefined);
  const near = LOOPBACK_ADDRESS.test(raw.socket.remoteAddress ?? '') && LOOPBACK_HOST.test(headers.host ?? '');
  return near && !forwarded ? 'this machine' : 'open';
}

/** What proxies add: the caller of a proxy on this machine may be anywhere. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'via'];
const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;
