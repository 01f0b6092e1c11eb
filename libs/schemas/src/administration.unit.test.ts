import { newKeyRequest, problemItems } from './index.ts';

const key = { label: 'CI', scopes: ['ingest'] };
const problems = (body: unknown) => problemItems(newKeyRequest.safeParse(body).error!);

describe('the request for a new API key', () => {
  it('names the valid scope nearest to a mistyped one', () => {
    const message = "must be one of ingest, read, support, admin, export (did you mean 'ingest'?)";
    expect(problems({ ...key, scopes: ['read', 'ingst'] })).toEqual([{ path: 'scopes.1', message }]);
  });

  it('names every invalid field and says what it must be', () => {
    expect(problems({ scopes: ['admin', 'root'], expiresAt: '2026-02-30T00:00:00Z', requestsPerMinute: 0.5 })).toEqual([
      { path: 'label', message: 'is required' },
      { path: 'scopes.1', message: 'must be one of ingest, read, support, admin, export' },
      { path: 'expiresAt', message: 'must be an ISO 8601 instant in UTC, like 2026-01-31T12:00:00Z' },
      { path: 'requestsPerMinute', message: 'must be a whole number from 1 to 1000000' },
    ]);
  });

  it.each<[string, object]>([
    ['label', { label: '' }],
    ['label', { label: 'x'.repeat(256) }],
    ['label', { label: '\0' }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: 'admin' }],
    ['expiresAt', { expiresAt: 1 }],
    ['expiresAt', { expiresAt: '2027-01-01T00:00:00+01:00' }],
    ['requestsPerMinute', { requestsPerMinute: 0 }],
    ['requestsPerMinute', { requestsPerMinute: 1_000_001 }],
    ['requestsPerMinute', { requestsPerMinute: '5' }],
  ])('refuses %s in %p', (path, wrong) => {
    expect(problems({ ...key, ...wrong })).toEqual([{ path, message: expect.stringMatching(/^must be /) }]);
  });

  it('refuses an unknown field, because a misspelt limit would create a key without one', () => {
    expect(problems({ ...key, expires_at: '2027-01-01T00:00:00Z' })).toEqual([
      { path: '', message: 'must not have expires_at' },
    ]);
  });

  it('accepts values at the limits, and null for no limit', () => {
    for (const right of [
      { label: '\u202e\n' },
      { scopes: ['read', 'read', 'admin'] },
      { expiresAt: null, requestsPerMinute: null },
      { expiresAt: '2027-01-01T00:00:00.000Z', requestsPerMinute: 1_000_000 },
    ])
      expect(newKeyRequest.safeParse({ ...key, ...right }).success).toBe(true);
  });
});
