import { LaurelError } from '@laurel/client';
import { OutcomeUnknownError, serviceError, UnreachableError } from './service-error.ts';

const TARGET = { type: 'http', url: 'https://laurel.example', apiKey: 'key' } as const;

/** As fetch rejects. */
const unreachable = (fields: { readonly code: string; readonly syscall?: string }): LaurelError =>
  new LaurelError('', {
    code: 'unreachable',
    cause: new TypeError('fetch failed', { cause: Object.assign(new Error(fields.code), fields) }),
  });

describe('serviceError', () => {
  it.each([
    { code: 'ECONNRESET', syscall: 'read' },
    { code: 'EPIPE', syscall: 'write' },
    { code: 'ETIMEDOUT', syscall: 'read' },
    { code: 'EHOSTUNREACH', syscall: 'read' },
    { code: 'ENETDOWN', syscall: 'write' },
    { code: 'ECONNABORTED', syscall: 'write' },
    { code: 'UND_ERR_SOCKET' },
    { code: 'HPE_INVALID_CHUNK_SIZE' },
  ])('gives an unknown outcome when the connection was established: %j', (fields) => {
    expect(serviceError(unreachable(fields), TARGET)).toBeInstanceOf(OutcomeUnknownError);
  });

  it.each([
    { code: 'ECONNREFUSED', syscall: 'connect' },
    { code: 'ETIMEDOUT', syscall: 'connect' },
    { code: 'EHOSTUNREACH', syscall: 'connect' },
    { code: 'ENOTFOUND', syscall: 'getaddrinfo' },
    { code: 'EPROTO', syscall: 'write' },
    { code: 'CERT_HAS_EXPIRED' },
  ])('gives an unreachable service when no trusted connection was established: %j', (fields) => {
    expect(serviceError(unreachable(fields), TARGET)).toBeInstanceOf(UnreachableError);
  });
});
