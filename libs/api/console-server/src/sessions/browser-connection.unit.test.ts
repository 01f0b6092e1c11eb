import type { FastifyRequest } from 'fastify';
import { browserConnection } from './browser-connection.ts';

const request = (remoteAddress: string, headers: Record<string, string>) =>
  ({ headers, raw: { socket: { remoteAddress } } }) as unknown as FastifyRequest;

describe('browserConnection', () => {
  it.each([
    ['127.0.0.1', { host: 'localhost:3000' }, null, 'this machine'],
    ['::1', { host: '[::1]:3000' }, null, 'this machine'],
    ['::ffff:127.0.0.1', { host: '127.0.0.1' }, 'http://laurel.example', 'this machine'],
    ['10.0.0.7', { host: 'localhost:3000' }, null, 'open'],
    ['127.0.0.1', { host: 'laurel.example' }, null, 'open'],
    ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '10.0.0.7' }, null, 'open'],
    ['127.0.0.1', { host: 'localhost', via: '1.1 a-proxy' }, null, 'open'],
    ['10.0.0.7', { host: 'laurel.example' }, 'http://laurel.example', 'open'],
    ['10.0.0.7', { host: 'laurel.example' }, 'https://laurel.example', 'encrypted'],
    ['10.0.0.7', { host: 'inside', 'x-forwarded-proto': 'https' }, 'https://laurel.example', 'encrypted'],
    ['10.0.0.7', { host: 'laurel.example', 'x-forwarded-proto': 'http' }, 'https://laurel.example', 'open'],
    ['10.0.0.7', { host: '10.0.0.1:3000' }, 'https://laurel.example', 'open'],
    ['127.0.0.1', { host: 'localhost:3000' }, 'https://laurel.example', 'this machine'],
    ['10.0.0.7', { host: 'inside', 'x-forwarded-proto': 'https, https' }, 'https://laurel.example', 'encrypted'],
    ['10.0.0.7', { host: 'inside', 'x-forwarded-proto': 'https, http' }, 'https://laurel.example', 'open'],
  ])('from %s with %j, public at %s, returns %s', (address, headers, publicUrl, expected) => {
    expect(browserConnection(request(address, headers as Record<string, string>), publicUrl)).toBe(expected);
  });
});
